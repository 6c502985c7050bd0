// multiclass/pending: the events of a replication, in no order: first an event of each source, then the event of the tokens of time 0, then
// the events of servers, then at most one event of each token. Each event is a row: its time; what happens (the phase in the upper three
// bits, the station or source below them) and to which token. All threads pass over their events in step.
//
// Reads and writes: replication_state.

import server_schedule::{number_of};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::state::{front_wide, mine, record_at, row_at, set_row};
import package::multiclass::tokens::{Numbers, numbers_of, set_numbers};
import word64::{wide, wide_high, wide_less, wide_low};

// The order of those of one time.
const FIRST_TOKENS: u32 = 0u;
const DEPARTURE: u32 = 0x20000000u;
const PATIENCE: u32 = 0x40000000u;
const SHIFT: u32 = 0x60000000u;
const FAILURE: u32 = 0x80000000u;
const RETURN: u32 = 0xa0000000u;
const ARRIVAL: u32 = 0xc0000000u;
const PHASE: u32 = 0xe0000000u;

// The place of an event that has happened, or NONE: the next one that is added takes it.
var<private> hole: u32;
// What happens next.
var<private> due: Event;

// When and what happens, and to which token; with what happens to servers goes what failures, absences and changing have.
struct Event {
    time: Time,
    what: u32,
    token: u32,
}

fn event_at(place: u32) -> u32 { return record_at(plan.events_at, place, 1u); }

fn event_of(place: u32) -> Event {
    let row = row_at(event_at(place));
    return Event(wide(row.x, row.y), row.z, row.w);
}

// Whether an event comes before another one of its time.
fn precedes(a: Event, b: Event) -> bool {
    if (a.what != b.what) { return a.what < b.what; }
    return number_of(a) < number_of(b);
}

// The place of the event that is next; its time is mine.next. Few have the same time: that is looked for only where there are any.
fn find_next() -> u32 {
    var next = never();
    var place = 0u;
    var are_alike = false;
    var row = event_at(0u);
    for (var other = 0u; other < mine.pending; other += 1u) {
        let found = front_wide(row);
        row += plan.replications;
        let is_less = wide_less(found, next);
        are_alike = are_alike || !wide_differs(found, next);
        if (is_less) {
            next = found;
            place = other;
        }
    }
    mine.next = next;
    mine.alone = true;
    due = event_of(place);
    if (are_alike && wide_differs(next, never())) { place = first_of_time(place); }
    return place;
}

// Of those that happen at mine.next the place of the one that is first, by the place of one of them.
fn first_of_time(known: u32) -> u32 {
    var place = known;
    for (var other = 0u; other < mine.pending; other += 1u) {
        let found = event_of(other);
        if (other == known || wide_differs(found.time, mine.next)) { continue; }
        mine.alone = false;
        if (precedes(found, due)) {
            place = other;
            due = found;
        }
    }
    return place;
}

fn set_event(place: u32, what: u32, token: u32, time: Time) {
    set_row(event_at(place), vec4<u32>(wide_low(time), wide_high(time), what, token));
}

// An event of a token on its way to, or at, a station, with the number of its arrival there and its own number.
fn add_event(what: u32, token: u32, numbers: vec2<u32>, goal: u32, time: Time) {
    var place = hole;
    if (place == NONE) {
        place = mine.pending;
        mine.pending += 1u;
    }
    hole = NONE;
    set_event(place, what, token, time);
    set_numbers(token, Numbers(numbers.x, numbers.y, place, goal));
}

// The last event takes the place of one that is gone.
fn close_hole() {
    if (hole == NONE) { return; }
    mine.pending -= 1u;
    let last = mine.pending;
    if (hole != last) {
        let event = event_of(last);
        set_event(hole, event.what, event.token, event.time);
        let numbers = numbers_of(event.token);
        set_numbers(event.token, Numbers(numbers.arrival, numbers.event, hole, numbers.goal));
    }
    hole = NONE;
}

// The event of a token does not happen. Returns when it would have.
fn take_event(token: u32) -> Time {
    close_hole();
    hole = numbers_of(token).place;
    return event_of(hole).time;
}
