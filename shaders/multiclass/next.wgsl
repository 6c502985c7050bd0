// multiclass/next: which event of a replication is next. All threads pass over their clocks in step.
// Reads: replication_state, clocks. Writes: clocks.

import constants::{CLOCKS};
import server_schedule::{number_of};
import package::lib::time::{never};
import package::lib::wide::{wide_differs};
import package::multiclass::clocks::{NO_CLOCK, clock_in, clock_of, set_clock};
import package::multiclass::pending::{Event, due, event_at, event_of};
import package::multiclass::state::{front_wide, mine};
import word64::{wide_less};

// Whether an event in a place comes before another one of its time.
fn precedes(a: Event, place_a: u32, b: Event, place_b: u32) -> bool {
    if (a.what != b.what) { return a.what < b.what; }
    return number_of(a, place_a) < number_of(b, place_b);
}

// The earliest clock so far, the place of its event, and whether another event has the same clock.
struct Next {
    clock: u32,
    place: u32,
    are_alike: bool,
}

fn with_clock(next: Next, clock: u32, place: u32) -> Next {
    let is_less = clock < next.clock;
    let are_alike = (clock == next.clock) | (next.are_alike & !is_less);
    return Next(min(clock, next.clock), select(next.place, place, is_less), are_alike);
}

// The clock of an event in any place.
fn clock_at(place: u32) -> u32 {
    if (place < CLOCKS) { return clock_in(place); }
    return clock_of(front_wide(event_at(place)));
}

// The place of the event that is next; its time is mine.next. Few have the same clock: times are compared only where there are any.
fn find_next() -> u32 {
    var next = Next(NO_CLOCK, 0u, false);
    // Four at a time are fetched together; behind the last event there is no clock.
    for (var place = 0u; place < min(mine.pending, CLOCKS); place += 4u) {
        next = with_clock(next, clock_in(place), place);
        next = with_clock(next, clock_in(place + 1u), place + 1u);
        next = with_clock(next, clock_in(place + 2u), place + 2u);
        next = with_clock(next, clock_in(place + 3u), place + 3u);
    }
    for (var place = CLOCKS; place < mine.pending; place += 1u) { next = with_clock(next, clock_at(place), place); }
    mine.alone = true;
    due = event_of(next.place);
    var place = next.place;
    if (next.are_alike) { place = first_of_alike(next); }
    mine.next = due.time;
    return place;
}

// The place of the first event among those that share the earliest clock. Afterwards this event is due.
fn first_of_alike(next: Next) -> u32 {
    var first = next.place;
    for (var place = 0u; place < mine.pending; place += 1u) {
        if (place == next.place || clock_at(place) != next.clock) { continue; }
        let found = event_of(place);
        if (wide_less(due.time, found.time)) { continue; }
        let is_alike = !wide_differs(due.time, found.time);
        mine.alone = !is_alike;
        if (is_alike && (!wide_differs(found.time, never()) || !precedes(found, place, due, first))) { continue; }
        first = place;
        due = found;
    }
    return first;
}

// Sets the clocks from the rows of the events.
fn open_clocks() {
    for (var place = 0u; place < CLOCKS; place += 1u) {
        var clock = NO_CLOCK;
        if (place < mine.pending) { clock = clock_of(front_wide(event_at(place))); }
        set_clock(place, clock);
    }
}
