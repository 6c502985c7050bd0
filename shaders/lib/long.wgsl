// lib/long: words of 128 bits, as products of two words of 64 bits have them.

import package::lib::wide::{wide_xor};
import word64::{Wide, wide, wide_add, wide_high, wide_less, wide_low, wide_product, wide_sub};

struct Long { low: Wide, high: Wide }

// a << distance and a >> distance for distances from 0 to 63.
fn wide_left(a: Wide, distance: u32) -> Wide {
    if (distance == 0u) { return a; }
    if (distance >= 32u) { return wide(0u, wide_low(a) << (distance - 32u)); }
    return wide(wide_low(a) << distance, (wide_high(a) << distance) | (wide_low(a) >> (32u - distance)));
}

fn wide_right(a: Wide, distance: u32) -> Wide {
    if (distance == 0u) { return a; }
    if (distance >= 32u) { return wide(wide_high(a) >> (distance - 32u), 0u); }
    return wide((wide_low(a) >> distance) | (wide_high(a) << (32u - distance)), wide_high(a) >> distance);
}

// The same with the sign of two's complement.
fn wide_right_signed(a: Wide, distance: u32) -> Wide {
    let sign = 0u - (wide_high(a) >> 31u);
    return wide_xor(wide_right(wide_xor(a, wide(sign, sign)), distance), wide(sign, sign));
}

fn wide_negated(a: Wide) -> Wide { return wide_sub(wide(0u, 0u), a); }

// The number of bits before the first that is 1.
fn wide_zeros(a: Wide) -> u32 {
    if (wide_high(a) == 0u) { return 32u + countLeadingZeros(wide_low(a)); }
    return countLeadingZeros(wide_high(a));
}

fn long_product(a: Wide, b: Wide) -> Long {
    let low = wide_product(wide_low(a), wide_low(b));
    let left = wide_add(wide_product(wide_low(a), wide_high(b)), wide(wide_high(low), 0u));
    let right = wide_add(wide_product(wide_high(a), wide_low(b)), wide(wide_low(left), 0u));
    let high = wide_add(wide_product(wide_high(a), wide_high(b)), wide(wide_high(left), 0u));
    return Long(wide(wide_low(low), wide_low(right)), wide_add(high, wide(wide_high(right), 0u)));
}

// The upper half of a product.
fn long_high(a: Wide, b: Wide) -> Wide { return long_product(a, b).high; }

// a / 2^distance for distances from 1 to 127, to the nearest, halves up; all bits where it has more than 64.
fn long_shifted(a: Long, distance: u32) -> Wide {
    let most = wide(0xffffffffu, 0xffffffffu);
    let less = distance - 1u;
    var twice = wide_right(a.high, select(0u, less - 64u, less >= 64u));
    var is_more = false;
    if (less < 64u) {
        let above = wide_right(a.high, less);
        is_more = (wide_low(above) | wide_high(above)) != 0u;
        twice = a.low;
        if (less > 0u) {
            let upper = wide_left(a.high, 64u - less);
            let lower = wide_right(a.low, less);
            twice = wide(wide_low(upper) | wide_low(lower), wide_high(upper) | wide_high(lower));
        }
    }
    return select(wide_add(wide_right(twice, 1u), wide(wide_low(twice) & 1u, 0u)), most, is_more);
}

// The quotient and, as `high`, the rest of a division by a divisor below 2^63 that is above the upper half.
fn long_divide(a: Long, divisor: Wide) -> Long {
    var rest = a.high;
    var quotient = a.low;
    for (var bit = 0u; bit < 64u; bit += 1u) {
        rest = wide((wide_low(rest) << 1u) | (wide_high(quotient) >> 31u), (wide_high(rest) << 1u) | (wide_low(rest) >> 31u));
        let fits = !wide_less(rest, divisor);
        quotient = wide((wide_low(quotient) << 1u) | select(0u, 1u, fits), (wide_high(quotient) << 1u) | (wide_low(quotient) >> 31u));
        rest = wide_sub(rest, select(wide(0u, 0u), divisor, fits));
    }
    return Long(quotient, rest);
}

// The whole number nearest to a root, for radicands below 2^124: two bits of the radicand at a time.
fn long_root(radicand: Long) -> Wide {
    var high = radicand.high;
    var low = radicand.low;
    var pairs = 64u;
    if ((wide_low(high) | wide_high(high)) == 0u) {
        high = low;
        low = wide(0u, 0u);
        pairs = 32u;
    }
    var rest = wide(0u, 0u);
    var found = wide(0u, 0u);
    for (var pair = 0u; pair < pairs; pair += 1u) {
        let shifted = wide_left(rest, 2u);
        rest = wide(wide_low(shifted) | (wide_high(high) >> 30u), wide_high(shifted));
        let next = wide_left(high, 2u);
        high = wide(wide_low(next) | (wide_high(low) >> 30u), wide_high(next));
        low = wide_left(low, 2u);
        let tried = wide_add(wide_left(found, 2u), wide(1u, 0u));
        let fits = !wide_less(rest, tried);
        rest = wide_sub(rest, select(wide(0u, 0u), tried, fits));
        found = wide_add(wide_left(found, 1u), wide(select(0u, 1u, fits), 0u));
    }
    return wide_add(found, wide(select(0u, 1u, wide_less(found, rest)), 0u));
}
