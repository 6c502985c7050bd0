// queueing/network_appointments: the edges of a network, and where its appointments lie.
// Mirrored in src/queueing/gpu/network/appointments.rs.
//
//   model_table, in words of 16 bytes:
//     1 a station   its first entry, and the one behind its last: an entry is an edge that leads to it from another station
//     1 an entry    source, the first entry of that source here, unused: in the order of targets, sources and delays
//     1 an edge     its entry, and the first entry of its source that comes from its target (NONE: there is none), target (NONE:
//                   out of the network), whether it has a delay
//   annex, in words of 8 bytes, of all replications:
//     4 an entry    for PARITY 0 and 1 the appointments of its source: a lower bound on arrivals by it, and on the time from
//                   the start of the next service there to such an arrival
//     1 an entry    at the first entry of each source: when the first token sent to the source in the last round arrives
//                   there; 0: none was sent
//     6 a station   how far it looks ahead: four spans, four edges
//   links, behind the inboxes of PARITY 0 and 1: the list of each station, and the tokens that left the network from there

import package::lib::time::{Time};
import package::queueing::look_ahead::{Ahead};
import package::queueing::network::{delay_of};
import package::queueing::places::{annex, annex_wide, places, set_annex, model_table};
import package::queueing::records::{NONE, parameters};
import word64::{wide};

// The most visits that a station decides in a round: a fast source and a hub have many arrivals.
const DECISIONS: u32 = 32u;

struct Appointed {
    stations: u32,        // in model_table
    entries: u32,
    edges: u32,
    entries_each: u32,    // entries of a replication
    entries_all: u32,
    sources_all: u32,
    appointments: u32,    // in annex
    answers: u32,
    ahead: u32,
    unused: u32,
}

var<uniform> appointed: Appointed;

// A station, and where its entries and edges begin and end.
struct Around {
    id: u32,
    base: u32,            // the first station of its replication
    entries: u32,         // the first entry of its replication
    first_in: u32,
    behind_in: u32,
    first_out: u32,
    behind_out: u32,
}

fn around(station: u32) -> Around {
    let copy = station / places.each;
    let local = station - copy * places.each;
    let into = model_table[appointed.stations + local];
    let out = model_table[2u * local];
    return Around(station, copy * places.each, copy * appointed.entries_each, into.x, into.y, out.x, out.y);
}

fn first_in(here: Around) -> u32 { return here.first_in; }
fn behind_in(here: Around) -> u32 { return here.behind_in; }
fn first_out(here: Around) -> u32 { return here.first_out; }
fn behind_out(here: Around) -> u32 { return here.behind_out; }
fn source_of(here: Around, entry: u32) -> u32 { return here.base + model_table[appointed.entries + entry].x; }

// NONE: out of the network.
fn target_of(here: Around, edge: u32) -> u32 { return within(here.base, model_table[appointed.edges + edge].z); }
fn place_to(here: Around, edge: u32) -> u32 { return within(here.entries, model_table[appointed.edges + edge].x); }
fn within(base: u32, place: u32) -> u32 { return select(base + place, NONE, place == NONE); }

// The delay of an edge: most edges have none to load.
fn transit(edge: u32) -> Time {
    if (model_table[appointed.edges + edge].w == 0u) { return wide(0u, 0u); }
    return delay_of(edge);
}

fn place_from(here: Around, entry: u32) -> u32 { return here.entries + entry; }

fn published(parity: u32, place: u32) -> u32 {
    return appointed.appointments + 2u * (parity * appointed.entries_all + place);
}
fn appointment(parity: u32, place: u32) -> Time { return annex_wide(published(parity, place)); }
fn span_of(parity: u32, place: u32) -> Time { return annex_wide(published(parity, place) + 1u); }
fn set_appointment(parity: u32, place: u32, time: Time, span: Time) {
    set_annex(published(parity, place), time);
    set_annex(published(parity, place) + 1u, span);
}

fn inbox_of(parity: u32, station: u32) -> u32 { return parity * parameters.stations + station; }
fn list_place(station: u32) -> u32 { return 2u * parameters.stations + station; }
fn gone_place(station: u32) -> u32 { return 3u * parameters.stations + station; }

fn store_look_ahead(station: u32, ahead: Ahead) {
    let place = appointed.ahead + 6u * station;
    set_annex(place, ahead.first);
    set_annex(place + 1u, ahead.second);
    set_annex(place + 2u, ahead.third);
    set_annex(place + 3u, ahead.fourth);
    annex[place + 4u] = ahead.edges.xy;
    annex[place + 5u] = ahead.edges.zw;
}

fn load_look_ahead(station: u32) -> Ahead {
    let place = appointed.ahead + 6u * station;
    let edges = vec4<u32>(annex[place + 4u], annex[place + 5u]);
    return Ahead(annex_wide(place), annex_wide(place + 1u), annex_wide(place + 2u), annex_wide(place + 3u), edges);
}
