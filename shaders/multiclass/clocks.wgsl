// multiclass/clocks: a clock of 32 bits for each of the first events, near the threads: the upper bits of its time, so that few have the
// same clock within a run, then its place. So the next event is found without its row.
//
// Reads: parameters. Reads and writes: clocks, of this thread only.

import constants::{CLOCKS, EACH, PLACE};
import package::lib::time::{Time};
import package::lib::wide::{wide_shift_right};
import package::multiclass::near::{own_lane};
import package::multiclass::parameters::{plan};
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
