// queueing/torus_appointments: the edges of a torus, and where its appointments lie.
//
//   appointments: for each direction the published times of its stations, for PARITY 0 and 1
//   stations, behind the records: how far each station looks ahead, in three words: two spans, two spans, four edges
//   links, behind the inboxes of PARITY 0 and 1: the list of each station, and where it sent a token in the last round

import package::lib::time::{Time};
import package::queueing::look_ahead::{Ahead};
import package::queueing::records::{NONE, parameters, stations};
import package::queueing::station::{pair};
import package::queueing::torus::{torus};
import word64::{wide};

// The most visits that a station decides in a round: with many edges in, it could seldom decide two.
const DECISIONS: u32 = 1u;

var<storage, read_write> appointments: array<Time>;

// A station and its neighbours: down, right, up, left.
struct Around {
    id: u32,
    at: vec4<u32>,
}

fn around(station: u32) -> Around {
    let width = torus.width;
    let row = station / width;
    let column = station - row * width;
    let down = select(station + width, column, row + 1u == torus.height);
    let right = select(station + 1u, station - column, column + 1u == width);
    let up = select(station - width, (torus.height - 1u) * width + column, row == 0u);
    let left = select(station - 1u, station - column + width - 1u, column == 0u);
    return Around(station, vec4<u32>(down, right, up, left));
}

fn first_in(here: Around) -> u32 { return 0u; }
fn behind_in(here: Around) -> u32 { return 4u; }
fn first_out(here: Around) -> u32 { return 0u; }
fn behind_out(here: Around) -> u32 { return 4u; }
fn source_of(here: Around, entry: u32) -> u32 { return here.at[entry]; }
fn target_of(here: Around, edge: u32) -> u32 { return here.at[edge]; }
fn transit(edge: u32) -> Time { return wide(0u, 0u); }

// The place of a station's published time for an edge; NONE: the edge leads to the station itself.
fn place_to(here: Around, edge: u32) -> u32 {
    return select(edge * parameters.stations + here.id, NONE, here.at[edge] == here.id);
}
// The place of the time that the station at the start of an entry has published: for that station it is the opposite
// edge.
fn place_from(here: Around, entry: u32) -> u32 { return (entry ^ 2u) * parameters.stations + here.at[entry]; }

fn appointment(parity: u32, place: u32) -> Time { return appointments[parity * 4u * parameters.stations + place]; }
fn set_appointment(parity: u32, place: u32, time: Time, span: Time) {
    appointments[parity * 4u * parameters.stations + place] = time;
}

fn inbox_of(parity: u32, station: u32) -> u32 { return parity * parameters.stations + station; }
fn list_place(station: u32) -> u32 { return 2u * parameters.stations + station; }
fn sent_place(station: u32) -> u32 { return 3u * parameters.stations + station; }

fn store_look_ahead(station: u32, ahead: Ahead) {
    let place = 2u * parameters.stations + 3u * station;
    stations[place] = pair(ahead.first, ahead.second);
    stations[place + 1u] = pair(ahead.third, ahead.fourth);
    stations[place + 2u] = ahead.edges;
}

fn load_look_ahead(station: u32) -> Ahead {
    let place = 2u * parameters.stations + 3u * station;
    let a = stations[place];
    let b = stations[place + 1u];
    return Ahead(wide(a.x, a.y), wide(a.z, a.w), wide(b.x, b.y), wide(b.z, b.w), stations[place + 2u]);
}

fn keep_until_gone(station: u32, token: u32) {}
fn begin_sources(station: u32) {}
