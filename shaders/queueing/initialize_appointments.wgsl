// queueing/initialize_appointments (once, after queueing/initialize_stations or restore_stations; one thread a station)
// What: sends on the tokens that are there when the run begins, and publishes the first appointments.
// Reads: stations, tokens, next_event. Writes: links, appointments, what is looked ahead.
// Afterwards: as after a round of queueing/appoint of the other parity.

import package::engine::schedule::{next_event};
import package::lib::time::{never};
import package::queueing::appoint_round::{OTHER};
import package::queueing::later::{later};
import package::queueing::links::{push};
import package::queueing::look_ahead::{look_ahead, span_by};
import package::queueing::records::{NONE, parameters, tokens};
import appointed_start::{begin_sources, keep_until_gone};
import constants::{WORKGROUP};
import edges::{around, behind_out, first_out, inbox_of, load_look_ahead, place_to, set_appointment, target_of, transit};
import first_tokens::{initial_tokens};
import station_record::{load_station};
import topology::{site_of};
import word64::{wide_less};

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= parameters.stations) { return; }
    let here = around(id);
    let first = initial_tokens(id);
    for (var token = first.x; token < first.x + first.y; token += 1u) {
        if (!wide_less(next_event[token], never())) { continue; }
        let target_station = target_of(here, tokens[2u * token + 1u].y);
        if (target_station == NONE) {
            keep_until_gone(id, token);
        } else {
            push(inbox_of(OTHER, target_station), token);
        }
    }
    begin_sources(id);
    let station = load_station(id);
    look_ahead(site_of(id), station.state);
    let ahead = load_look_ahead(id);
    for (var edge = first_out(here); edge < behind_out(here); edge += 1u) {
        let place = place_to(here, edge);
        // Nothing is known yet of what comes; the server is taken until then.
        let span = later(span_by(ahead, edge), transit(edge));
        if (place != NONE) { set_appointment(OTHER, place, later(station.free, span), span); }
    }
}
