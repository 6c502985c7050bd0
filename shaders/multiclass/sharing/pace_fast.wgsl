// multiclass/sharing/pace_fast: how fast the clock of a station runs, as in pace, where servers at work times the speed may pass 2^63. The
// speed is at most 2^48, the workers are below 2^29, and the gain of a tick is at most the speed, or 2^58 where weights differ.

import package::lib::quad::{Quad, is_nothing, quad_add, quad_divide, quad_divide_up, quad_product, whole_product};
import package::lib::time::{Time, never};
import word64::{Wide, wide, wide_add, wide_high};

struct Pace {
    speed: Wide,
    workers: u32,
    among: Wide,
}

fn pace_of(speed: Wide, workers: u32, among: Wide) -> Pace { return Pace(speed, workers, among); }

// For each tick the whole part, and the whole part of all remainders.
fn gain(pace: Pace, ticks: Wide) -> Quad {
    if (is_nothing(pace.among)) { return Quad(wide(0u, 0u), wide(0u, 0u)); }
    let each = quad_divide(whole_product(pace.speed, wide(pace.workers, 0u)), pace.among);
    return quad_add(whole_product(ticks, each.whole.low), quad_divide(whole_product(ticks, each.rest), pace.among).whole);
}

// Dividing by one factor and then the other, rounding up each time, is dividing by their product, rounded up.
fn time_at(now: Time, left: Quad, pace: Pace) -> Time {
    let product = quad_product(left, pace.among);
    if (is_nothing(pace.speed) || !is_nothing(product.above)) { return never(); }
    let ticks = quad_divide_up(quad_divide_up(product.value, pace.speed), wide(pace.workers, 0u));
    let time = wide_add(now, ticks.low);
    if (!is_nothing(ticks.high) || ((wide_high(ticks.low) | wide_high(time)) >> 31u) != 0u) { return never(); }
    return time;
}
