// lib/quad: words of 128 bits, each of two words of 64. Additions and subtractions wrap modulo 2^128.

import package::lib::divide::{wide_divide};
import package::lib::wide::{wide_differs};
import word64::{Wide, wide, wide_add, wide_high, wide_less, wide_low, wide_product, wide_sub};

struct Quad {
    low: Wide,
    high: Wide,
}

fn quad_of(row: vec4<u32>) -> Quad { return Quad(wide(row.x, row.y), wide(row.z, row.w)); }

fn quad_row(a: Quad) -> vec4<u32> {
    return vec4<u32>(wide_low(a.low), wide_high(a.low), wide_low(a.high), wide_high(a.high));
}

fn is_nothing(a: Wide) -> bool { return (wide_low(a) | wide_high(a)) == 0u; }

fn quad_less(a: Quad, b: Quad) -> bool {
    if (wide_differs(a.high, b.high)) { return wide_less(a.high, b.high); }
    return wide_less(a.low, b.low);
}

fn quad_add(a: Quad, b: Quad) -> Quad {
    let low = wide_add(a.low, b.low);
    return Quad(low, wide_add(wide_add(a.high, b.high), wide(select(0u, 1u, wide_less(low, a.low)), 0u)));
}

fn quad_sub(a: Quad, b: Quad) -> Quad {
    let borrow = wide(select(0u, 1u, wide_less(a.low, b.low)), 0u);
    return Quad(wide_sub(a.low, b.low), wide_sub(wide_sub(a.high, b.high), borrow));
}

// The whole product of two words of 64 bits: no sum of the four products of their halves passes 64 bits.
fn whole_product(a: Wide, b: Wide) -> Quad {
    let first = wide_product(wide_low(a), wide_low(b));
    let left = wide_add(wide_product(wide_high(a), wide_low(b)), wide(wide_high(first), 0u));
    let right = wide_add(wide_product(wide_low(a), wide_high(b)), wide(wide_low(left), 0u));
    let last = wide_add(wide_product(wide_high(a), wide_high(b)), wide(wide_high(left), 0u));
    return Quad(wide(wide_low(first), wide_low(right)), wide_add(last, wide(wide_high(right), 0u)));
}

// A product of 192 bits.
struct Product {
    value: Quad,
    above: Wide,
}

fn quad_product(a: Quad, times: Wide) -> Product {
    let lower = whole_product(a.low, times);
    let upper = whole_product(a.high, times);
    let middle = wide_add(lower.high, upper.low);
    let carry = select(0u, 1u, wide_less(middle, upper.low));
    return Product(Quad(lower.low, middle), wide_add(upper.high, wide(carry, 0u)));
}

struct Quotient {
    whole: Quad,
    rest: Wide,
}

// The next quotient digit of 32 bits and the remainder. The remainder before is below the divisor, which is at most
// 2^63.
fn divided_digit(before: Wide, digit: u32, divisor: Wide) -> Quotient {
    var rest = before;
    var quotient = 0u;
    if (wide_high(divisor) == 0u) {
        quotient = wide_low(wide_divide(wide(digit, wide_low(rest)), wide_low(divisor)));
        rest = wide(digit - quotient * wide_low(divisor), 0u);
    } else {
        // A bit at a time.
        for (var bit = 32u; bit > 0u; bit -= 1u) {
            rest = wide_add(wide_add(rest, rest), wide((digit >> (bit - 1u)) & 1u, 0u));
            quotient <<= 1u;
            if (!wide_less(rest, divisor)) {
                rest = wide_sub(rest, divisor);
                quotient |= 1u;
            }
        }
    }
    return Quotient(Quad(wide(quotient, 0u), wide(0u, 0u)), rest);
}

// For divisors from 1 to 2^63. The next digit stands last, and its quotient goes in front: after four turns all stand in their places.
fn quad_divide(a: Quad, divisor: Wide) -> Quotient {
    var digits = quad_row(a);
    var rest = wide(0u, 0u);
    for (var turn = 0u; turn < 4u; turn += 1u) {
        var quotient = 0u;
        // Most dividends have zeros above.
        if ((wide_low(rest) | wide_high(rest) | digits.w) != 0u) {
            let divided = divided_digit(rest, digits.w, divisor);
            quotient = wide_low(divided.whole.low);
            rest = divided.rest;
        }
        digits = vec4<u32>(quotient, digits.xyz);
    }
    return Quotient(quad_of(digits), rest);
}

// The quotient, rounded up.
fn quad_divide_up(a: Quad, divisor: Wide) -> Quad {
    let quotient = quad_divide(a, divisor);
    return quad_add(quotient.whole, Quad(wide(select(1u, 0u, is_nothing(quotient.rest)), 0u), wide(0u, 0u)));
}
