// queueing/appointments: what a station knows of arrivals still to come, and the appointments that it publishes.
// Reads and writes: links (its inbox, its list), appointments.

import package::lib::time::{Time, never};
import package::lib::wide::{wide_maximum, wide_minimum};
import package::queueing::appoint_round::{OTHER};
import package::queueing::later::{later};
import package::queueing::look_ahead::{span_by};
import package::queueing::records::{NONE, links};
import answers::{answer_by};
import constants::{PARITY};
import edges::{
    Around, appointment, behind_in, behind_out, first_in, first_out, inbox_of, load_look_ahead, place_from, place_to,
    set_appointment, source_of, target_of, transit,
};
import word64::{wide_less};

// Lower bounds on arrivals that are in no list yet: the earliest such time and the least station from which an arrival
// may come then, and the earliest from any other station.
struct Others {
    time: Time,
    source: u32,
    beyond: Time,
}

fn with_one(next: Others, time: Time, source: u32) -> Others {
    if (source == next.source) { return Others(wide_minimum(time, next.time), source, next.beyond); }
    if (wide_less(time, next.time) || (!wide_less(next.time, time) && source < next.source)) {
        return Others(time, source, next.time);
    }
    return Others(next.time, next.source, wide_minimum(time, next.beyond));
}

// The appointments of all stations that lead here. A station to which tokens were sent in the last round had not seen them
// when it published, and may answer the first of them.
fn others(here: Around, free: Time, least: Time) -> Others {
    var next = Others(never(), NONE, never());
    for (var entry = first_in(here); entry < behind_in(here); entry += 1u) {
        let source = source_of(here, entry);
        if (source == here.id) { continue; }
        let time = wide_minimum(appointment(PARITY, place_from(here, entry)), answer_by(here, entry, free));
        next = with_one(next, wide_maximum(time, least), source);
    }
    return next;
}

// The tokens sent here in the last round, as a list in no particular order.
fn taken_in(id: u32) -> u32 {
    let inbox = inbox_of(PARITY, id);
    let arrived = atomicLoad(&links[inbox]);
    if (arrived != 0u) { atomicStore(&links[inbox], 0u); }
    return arrived;
}

// Publishes for each edge: the next service starts when a token has come and the server is free. An arrival that only the
// target itself can cause is not what comes to it next.
fn publish_all(here: Around, free: Time, head: Time, next: Others) {
    let ahead = load_look_ahead(here.id);
    for (var edge = first_out(here); edge < behind_out(here); edge += 1u) {
        let place = place_to(here, edge);
        if (place == NONE) { continue; }
        var first = next.time;
        if (target_of(here, edge) == next.source) { first = next.beyond; }
        first = wide_maximum(wide_minimum(first, head), free);
        let span = later(span_by(ahead, edge), transit(edge));
        set_appointment(OTHER, place, later(first, span), span);
    }
}
