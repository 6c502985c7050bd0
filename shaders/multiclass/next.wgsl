// multiclass/next: which event of a replication is next. All threads pass over their clocks in step.
// Reads: replication_state, clocks. Writes: clocks.

import constants::{CLOCKS, PLACE};
import server_schedule::{number_of};
import package::lib::time::{never};
import package::lib::wide::{wide_differs};
import package::multiclass::clocks::{NO_CLOCK, clock_in, clock_of, set_clock, take_clock};
import package::multiclass::pending::{Event, due, event_at, event_of};
import package::multiclass::rows::{front_wide};
import package::multiclass::state::{mine};
import word64::{wide_less};

// So many clocks are looked at without asking how many are there.
const FEW: u32 = 16u;

// Whether an event in a place comes before another one of its time.
fn precedes(a: Event, place_a: u32, b: Event, place_b: u32) -> bool {
    if (a.what != b.what) { return a.what < b.what; }
    return number_of(a, place_a) < number_of(b, place_b);
}

// The two earliest clocks so far.
struct Earliest {
    first: u32,
    second: u32,
}

fn with_clock(earliest: Earliest, clock: u32) -> Earliest {
    return Earliest(min(earliest.first, clock), min(earliest.second, max(earliest.first, clock)));
}

// Those of four places, which are fetched together.
fn with_four(earliest: Earliest, place: u32) -> Earliest {
    let a = clock_in(place);
    let b = clock_in(place + 1u);
    let c = clock_in(place + 2u);
    let d = clock_in(place + 3u);
    let first = min(min(a, b), min(c, d));
    let second = min(max(min(a, b), min(c, d)), min(max(a, b), max(c, d)));
    return Earliest(min(earliest.first, first), min(min(earliest.second, second), max(earliest.first, first)));
}

// The clock of an event in any place, without its place.
fn clock_at(place: u32) -> u32 {
    if (place < CLOCKS) { return clock_in(place) & ~PLACE; }
    return clock_of(front_wide(event_at(place)));
}

// The place of the event that is next; its time is mine.next. Few have the same clock: times are compared only where there are any.
fn find_next() -> u32 {
    var earliest = Earliest(NO_CLOCK, NO_CLOCK);
    // Where clocks are few, a compiler writes out all of them.
    let count = select(min(mine.pending, CLOCKS), CLOCKS, CLOCKS <= FEW);
    for (var place = 0u; place < count; place += 4u) { earliest = with_four(earliest, place); }
    var place = earliest.first & PLACE;
    for (var behind = CLOCKS; behind < mine.pending; behind += 1u) {
        let clock = clock_at(behind);
        if (clock < earliest.first) { place = behind; }
        earliest = with_clock(earliest, clock);
    }
    mine.alone = true;
    due = event_of(place);
    if ((earliest.second & ~PLACE) <= earliest.first) { place = first_of_alike(place, earliest.first & ~PLACE); }
    mine.next = due.time;
    return place;
}

// The place of the first event among those that share the earliest clock, one of which is due. Afterwards this event is due.
fn first_of_alike(one: u32, clock: u32) -> u32 {
    var first = one;
    for (var place = 0u; place < mine.pending; place += 1u) {
        if (place == one || clock_at(place) != clock) { continue; }
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
        take_clock(place);
        if (place < mine.pending) { set_clock(place, clock_of(front_wide(event_at(place)))); }
    }
}
