// queueing/network_gone: a token that has left the network keeps its record, and so its slot, until every station has come
// to the time of its departure: an interrupted run still counts the token there.
// Reads and writes: links.

import package::engine::schedule::{next_event};
import package::lib::time::{never};
import package::queueing::links::{push};
import package::queueing::network_appointments::{appointed, gone_place, inbox_of};
import package::queueing::places::{places, model_table};
import package::queueing::records::{links, parameters};
import package::queueing::skew_heap::{alone, merged};
import word64::{wide_less};

// In the order of departures.
fn keep_until_gone(station: u32, token: u32) {
    let gone = atomicLoad(&links[gone_place(station)]);
    atomicStore(&links[gone_place(station)], merged(alone(token), gone));
}

// A source waits in the inbox of its station for the first round.
fn begin_sources(station: u32) {
    for (var number = station; number < appointed.sources_all; number += parameters.stations) {
        let copy = number / places.sources_each;
        let target_station = model_table[places.sources + 2u * (number - copy * places.sources_each)].y;
        let entity = number * parameters.cell;
        if (wide_less(next_event[entity], never())) { push(inbox_of(0u, copy * places.each + target_station), entity); }
    }
}
