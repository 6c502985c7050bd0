// multiclass/pending: the events of a replication, in no order: first one of each source, then that of the tokens of time 0, then
// those of servers, then at most one of each token. Their times lie in words of their own, which all threads pass over in step; beside them what
// happens (its phase in the upper three bits, the station or source below them) and to which token.
//
// Reads and writes: held.

import duty::{number_of};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs};
import package::multiclass::parameters::{NONE, parameters};
import package::multiclass::state::{mine, pair_at, set_pair, set_wide, wide_at};
import package::multiclass::tokens::{token_at};
import word64::{wide_less};

// The order of those of one time.
const FIRST_TOKENS: u32 = 0u;
const DEPARTURE: u32 = 0x20000000u;
const PATIENCE: u32 = 0x40000000u;
const SHIFT: u32 = 0x60000000u;
const FAILURE: u32 = 0x80000000u;
const ARRIVAL: u32 = 0xa0000000u;
const PHASE: u32 = 0xe0000000u;

// The place of an event that has happened, or NONE: the next one that is added takes it.
var<private> hole: u32;

// Whether an event comes before another one of its time.
fn precedes(place: u32, other: u32) -> bool {
    let a = pair_at(parameters.events_at + place);
    let b = pair_at(parameters.events_at + other);
    if (a.x != b.x) { return a.x < b.x; }
    return number_of(a) < number_of(b);
}

// The place of the event that is next; its time is mine.next.
fn find_next() -> u32 {
    var time = never();
    var place = 0u;
    mine.alone = true;
    for (var other = 0u; other < mine.pending; other += 1u) {
        let found = wide_at(parameters.times_at + other);
        if (wide_less(found, time)) {
            time = found;
            place = other;
            mine.alone = true;
        } else if (!wide_differs(found, time) && wide_less(time, never())) {
            mine.alone = false;
            if (precedes(other, place)) { place = other; }
        }
    }
    mine.next = time;
    return place;
}

fn set_event(place: u32, what: u32, token: u32, time: Time) {
    set_wide(parameters.times_at + place, time);
    set_pair(parameters.events_at + place, what, token);
}

// An event of a token on its way to, or at, a station.
fn add_event(what: u32, token: u32, target_of: u32, time: Time) {
    var place = hole;
    if (place == NONE) {
        place = mine.pending;
        mine.pending += 1u;
    }
    hole = NONE;
    set_event(place, what, token, time);
    set_pair(token_at(token) + 7u, place, target_of);
}

// The last event takes the place of one that is gone.
fn close_hole() {
    if (hole == NONE) { return; }
    mine.pending -= 1u;
    let last = mine.pending;
    if (hole != last) {
        let event = pair_at(parameters.events_at + last);
        set_event(hole, event.x, event.y, wide_at(parameters.times_at + last));
        set_pair(token_at(event.y) + 7u, hole, pair_at(token_at(event.y) + 7u).y);
    }
    hole = NONE;
}

// The event of a token does not happen. Returns when it would have.
fn take_event(token: u32) -> Time {
    close_hole();
    hole = pair_at(token_at(token) + 7u).x;
    return wide_at(parameters.times_at + hole);
}
