// lib/wide: functions for both forms of a 64-bit word.

import word64::{Wide, wide, wide_add, wide_high, wide_less, wide_low, wide_multiply, wide_product};

fn wide_differs(a: Wide, b: Wide) -> bool { return (wide_low(a) != wide_low(b)) | (wide_high(a) != wide_high(b)); }
fn wide_minimum(a: Wide, b: Wide) -> Wide { return select(a, b, wide_less(b, a)); }
fn wide_maximum(a: Wide, b: Wide) -> Wide { return select(a, b, wide_less(a, b)); }

// a >> distance for distances from 1 to 31.
fn wide_shift_right(a: Wide, distance: u32) -> Wide {
    let low = (wide_low(a) >> distance) | (wide_high(a) << (32u - distance));
    return wide(low, wide_high(a) >> distance);
}

fn wide_xor(a: Wide, b: Wide) -> Wide {
    return wide(wide_low(a) ^ wide_low(b), wide_high(a) ^ wide_high(b));
}

// The high word of a 32 x 32-bit product.
fn multiply_high(a: u32, b: u32) -> u32 { return wide_high(wide_product(a, b)); }

// floor(factor * span / 2^32): a span of ticks times a factor in units of 2^-32. The host has checked that the result
// fits.
fn wide_scale(factor: Wide, span: Wide) -> Wide {
    let whole = wide_multiply(wide(wide_high(factor), 0u), span);
    let upper = wide_product(wide_low(factor), wide_high(span));
    let lower = wide_product(wide_low(factor), wide_low(span));
    return wide_add(wide_add(whole, upper), wide(wide_high(lower), 0u));
}
