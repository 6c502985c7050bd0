// multiclass/sharing/pace: how fast the clock of a station runs: the twin of `Pace` in src/queueing/reference/oracle/sharing.rs. In `among`
// ticks it gains `by`, in units of 2^-32 ticks. `by` is at most 2^63 (see pace_fast): servers at work times the speed, or times 2^10 where
// weights differ; and `among` is the sum of the weights, below 2^48. So the gain of 2^63 ticks has 126 bits.

import package::lib::quad::{Quad, is_nothing, quad_divide, quad_divide_up, quad_less, quad_product, quad_sub, whole_product};
import package::lib::time::{Time, never};
import word64::{Wide, wide, wide_add, wide_high, wide_multiply};

struct Pace {
    by: Wide,
    among: Wide,
}

// The pace of some workers at a speed.
fn pace_of(speed: Wide, workers: u32, among: Wide) -> Pace { return Pace(wide_multiply(speed, wide(workers, 0u)), among); }

fn gain(pace: Pace, ticks: Wide) -> Quad {
    if (is_nothing(pace.among)) { return Quad(wide(0u, 0u), wide(0u, 0u)); }
    return quad_divide(whole_product(ticks, pace.by), pace.among).whole;
}

// The gain that a clock still needs until it shows an end.
fn left_until(clock: Quad, end: Quad) -> Quad {
    if (quad_less(end, clock)) { return Quad(wide(0u, 0u), wide(0u, 0u)); }
    return quad_sub(end, clock);
}

// When a clock has gained so much; never where that is 2^63 or later. A gain beyond 128 bits takes longer than any run.
fn time_at(now: Time, left: Quad, pace: Pace) -> Time {
    let product = quad_product(left, pace.among);
    if (is_nothing(pace.by) || !is_nothing(product.above)) { return never(); }
    let ticks = quad_divide_up(product.value, pace.by);
    let time = wide_add(now, ticks.low);
    if (!is_nothing(ticks.high) || ((wide_high(ticks.low) | wide_high(time)) >> 31u) != 0u) { return never(); }
    return time;
}
