// lib/interval: multiples of an interval without division, by a reciprocal (Granlund and Montgomery 1994). The twin of
// Interval in src/core/time.rs, exact for every time below 2^63.

import package::lib::time::{Time};
import package::lib::wide::{wide_shift_right};
import word64::{Wide, wide, wide_add, wide_high, wide_less, wide_low, wide_multiply, wide_product, wide_sub};

struct Interval {
    ticks: Wide,          // from 1 to 2^62
    reciprocal: Wide,     // 2^(63 + shift) / ticks, rounded up
    shift: u32,           // the least with ticks <= 2^shift
}

// The high 64 bits of a product.
fn wide_multiply_high(a: Wide, b: Wide) -> Wide {
    let low = wide_product(wide_low(a), wide_low(b));
    let left = wide_add(wide_product(wide_high(a), wide_low(b)), wide(wide_high(low), 0u));
    let right = wide_add(wide_product(wide_low(a), wide_high(b)), wide(wide_low(left), 0u));
    let high = wide_add(wide_product(wide_high(a), wide_high(b)), wide(wide_high(left), 0u));
    return wide_add(high, wide(wide_high(right), 0u));
}

// The first multiple at or after a time.
fn next_multiple(interval: Interval, time: Time) -> Time {
    if (!wide_less(wide(0u, 0u), time)) { return time; }
    let before = wide_sub(time, wide(1u, 0u));
    var quotient = wide_multiply_high(interval.reciprocal, wide_add(before, before));
    if (interval.shift >= 32u) { quotient = wide(wide_high(quotient), 0u); }
    let rest = interval.shift & 31u;
    if (rest != 0u) { quotient = wide_shift_right(quotient, rest); }
    return wide_multiply(wide_add(quotient, wide(1u, 0u)), interval.ticks);
}
