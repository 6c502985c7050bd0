// queueing/network_destination: where tokens and sources of a network lead.

import package::engine::schedule::{next_event};
import package::lib::time::{never};
import package::queueing::links::{push};
import package::queueing::places::{annex, places, model_table};
import package::queueing::records::{NONE, OUTSIDE, is_source, parameters, tokens};
import classes::{station_of};

// Where an imminent entity arrives: a station, or OUTSIDE.
fn destination(id: u32) -> u32 {
    if (is_source(id)) {
        let source = id / parameters.cell;
        let station = model_table[places.sources + 2u * (source % places.sources_each)].y;
        return source / places.sources_each * places.each + station_of(station);
    }
    let visit = tokens[2u * id + 1u];
    if (visit.x == NONE) { return OUTSIDE; }
    let row = model_table[places.edges + visit.y];
    if (row.y >= OUTSIDE) { return OUTSIDE; }
    return visit.x / places.each * places.each + station_of(row.y);
}

// A token has left the network: a slot of a source goes back to it.
fn leave(id: u32) {
    next_event[id] = never();
    let home = annex[places.births + 2u * id + 1u].x;
    if (home != 0u) { push(places.returned + home - 1u, id); }
}
