// multiclass/clocks/ties: which of the events of one time is the first.
// Reads: replication_state.

import server_schedule::{number_of};
import package::lib::time::{never};
import package::lib::wide::{wide_differs};
import package::multiclass::pending::{Event, due, event_of};
import package::multiclass::state::{mine};
import word64::{wide_less};

// Whether an event in a place comes before another one of its time.
fn precedes(a: Event, place_a: u32, b: Event, place_b: u32) -> bool {
    if (a.what != b.what) { return a.what < b.what; }
    return number_of(a, place_a) < number_of(b, place_b);
}

// Compares the event in a place with the one that is due, in the place `first`. Returns the place of the earlier one, which is due then.
fn first_of_two(place: u32, first: u32) -> u32 {
    let found = event_of(place);
    if (wide_less(due.time, found.time)) { return first; }
    let is_alike = !wide_differs(due.time, found.time);
    mine.alone = !is_alike;
    if (is_alike && (!wide_differs(found.time, never()) || !precedes(found, place, due, first))) { return first; }
    due = found;
    return place;
}
