// cells/watershed_rates: the parameters of a watershed, and the rain and the soaking of a step, in whole units that add up to the rate.

import package::cells::cell::{now};
import package::lib::time::{Time};
import package::lib::wide::{wide_differs, wide_xor};
import word64::{wide, wide_high, wide_less, wide_low, wide_multiply};

struct Watershed {
    step: vec2<u32>,      // ticks
    rain_until: vec2<u32>, // the end of the last step with rain
    rain_part: vec2<u32>, // of a unit in a step, in 2^-64, and the same for every step of a time
    rain_spread: vec2<u32>,
    soil_part: vec2<u32>,
    soil_spread: vec2<u32>,
    rain: u32,            // whole units of a step
    rain_last: u32,       // of the last step
    soil: u32,            // whole units that the soil takes in a step
    flow: u32,            // the share of a difference of levels that flows in a step, in 2^-32
    shift: u32,           // factors of two in the ticks of a step
    runs: u32,            // 1: it is a share of the water, where the ground falls by more than that
    unused: vec2<u32>,
}

var<uniform> watershed: Watershed;

fn rain_until() -> Time { return wide(watershed.rain_until.x, watershed.rain_until.y); }

fn raining(time: Time) -> bool { return !wide_less(rain_until(), time); }

// Whether the fractions of a unit add up to a whole unit in this step: their sum over all steps is rounded.
fn carries(part: vec2<u32>, spread: vec2<u32>) -> bool {
    var low = wide_low(now);
    var high = wide_high(now);
    if (watershed.shift >= 32u) {
        low = high >> (watershed.shift - 32u);
        high = 0u;
    } else if (watershed.shift > 0u) {
        low = (low >> watershed.shift) | (high << (32u - watershed.shift));
        high = high >> watershed.shift;
    }
    let parts = wide_multiply(wide(low, high), wide(spread.x, spread.y));
    return wide_less(wide_xor(parts, wide(0u, 0x80000000u)), wide(part.x, part.y));
}

// The rain of the step that ends now.
fn rain() -> u32 {
    if (!raining(now)) { return 0u; }
    if (!wide_differs(now, rain_until())) { return watershed.rain_last; }
    return watershed.rain + select(0u, 1u, carries(watershed.rain_part, watershed.rain_spread));
}

// The most that the soil takes in the step that ends now.
fn soil() -> u32 {
    return watershed.soil + select(0u, 1u, carries(watershed.soil_part, watershed.soil_spread));
}
