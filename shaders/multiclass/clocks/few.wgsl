// multiclass/clocks/few: which event of a replication is next, by a clock of 32 bits for each of the first events, near the threads: the
// upper bits of its time, so that few have the same clock within a run, then its place. So the next event is found without its row. All
// threads pass over their clocks in step.
//
// Reads: parameters, replication_state. Reads and writes: clocks, of this thread only.

import constants::{CLOCKS, EACH, PLACE};
import package::lib::time::{Time};
import package::lib::wide::{wide_shift_right};
import package::multiclass::clocks::ties::{first_of_two};
import package::multiclass::near::{own_lane};
import package::multiclass::parameters::{plan};
import package::multiclass::pending::{due, event_at, event_of};
import package::multiclass::rows::{front_wide};
import package::multiclass::state::{mine};
import word64::{wide_high, wide_low};

// Of places without an event. Events at times that a clock cannot show have these bits above their place, which takes the bits of PLACE.
const NO_CLOCK: u32 = 0xffffffffu;

var<workgroup> clocks: array<u32, CLOCKS * EACH>;

// The clock of a time at the first place; another place is added to it.
fn clock_of(time: Time) -> u32 {
    let coarse = wide_shift_right(time, plan.clock_bits);
    return select(NO_CLOCK, wide_low(coarse), wide_high(coarse) == 0u) & ~PLACE;
}

fn clock_in(place: u32) -> u32 { return clocks[place * EACH + own_lane]; }

fn set_clock(place: u32, clock: u32) {
    if (place < CLOCKS) { clocks[place * EACH + own_lane] = clock | place; }
}

fn take_clock(place: u32) {
    if (place < CLOCKS) { clocks[place * EACH + own_lane] = NO_CLOCK; }
}

// So many clocks are looked at without asking how many are there.
const FEW: u32 = 16u;

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
        first = first_of_two(place, first);
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
