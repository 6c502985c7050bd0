// queueing/tile_border: appointments and tokens between tiles.
//
//   appointments   what each tile has published along its border, for even and odd rounds; then, for each edge there,
//   when the
//                  first token departed that was sent by it in the last round
//   links          inboxes of even and odd rounds; see queueing/tile_records, too

import package::lib::time::{Time, never};
import package::lib::wide::{wide_minimum};
import package::queueing::appoint_round::{OTHER, pending};
import package::queueing::neighbours::{edges_to};
import package::queueing::records::{Visit, parameters};
import package::queueing::tile::{told};
import package::queueing::token_links::{push};
import package::queueing::torus_destination::{neighbour};
import package::queueing::torus_tiles::{BORDER, Here, border_place, edge_at, leads_out, tiles};
import constants::{PARITY, WORKGROUP};

var<storage, read_write> appointments: array<Time>;

fn published_place(parity: u32, tile: u32) -> u32 { return (parity * tiles() + tile) * BORDER; }
fn answers_place(tile: u32) -> u32 { return (2u * tiles() + tile) * BORDER; }
fn inbox_of(parity: u32, station: u32) -> u32 { return parity * parameters.stations + station; }

// Reads what other tiles have published for this tile: a lane an edge.
fn hear(tile: u32, lane: u32) {
    if (lane >= BORDER) { return; }
    let out = edge_at(tile, lane);
    if (!out.leads) { return; }
    let place = answers_place(tile) + lane;
    // The published time does not know of a token that was sent there in the last round.
    let time = appointments[published_place(PARITY, out.other) + out.place];
    told[4u * WORKGROUP + lane] = wide_minimum(time, appointments[place]);
    appointments[place] = never();
}

// Publishes the station's times for other tiles.
fn tell(here: Here, lane: u32) {
    for (var edge = 0u; edge < 4u; edge += 1u) {
        if (!leads_out(here, edge)) { continue; }
        appointments[published_place(OTHER, here.tile) + border_place(here, edge)] = told[edge * WORKGROUP + lane];
    }
}

// Sends a token out of the tile.
fn send_out(here: Here, token: u32, visit: Visit) {
    push(inbox_of(OTHER, neighbour(here.id, visit.edge)), token);
    pending = wide_minimum(pending, visit.arrival);
    for (var edge = 0u; edge < 4u; edge += 1u) {
        if (!leads_out(here, edge) || (edges_to(visit.edge) & (1u << edge)) == 0u) { continue; }
        let answer = answers_place(here.tile) + border_place(here, edge);
        appointments[answer] = wide_minimum(appointments[answer], visit.arrival);
        told[here.heard[edge]] = wide_minimum(told[here.heard[edge]], visit.arrival);
    }
}
