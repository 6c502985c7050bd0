// lib/divide: a word of 64 bits divided by one of 32, in two digits of 16 bits by divisions of words of 32 (Knuth 1969, algorithm D). The
// division of an adapter is not used: beside it NVIDIA's driver for Vulkan compiles other comparisons of a
// kernel wrongly (580.159, H200).

import word64::{Wide, wide, wide_high, wide_low};

const DIGIT: u32 = 65536u;

// a / divisor for divisors from 1 on.
fn wide_divide(a: Wide, divisor: u32) -> Wide {
    let high = wide_high(a) / divisor;
    let rest = wide_high(a) - high * divisor;
    // The first bit of the divisor becomes 1; a shift by 32 would be one by 0.
    let shift = countLeadingZeros(divisor);
    let by = divisor << shift;
    let upper = (rest << shift) | ((wide_low(a) >> 1u) >> (31u - shift));
    let lower = wide_low(a) << shift;
    let first = next_digit(upper, lower >> 16u, by);
    let second = next_digit(((upper << 16u) | (lower >> 16u)) - first * by, lower & 0xffffu, by);
    return wide((first << 16u) | second, high);
}

// The next digit of a quotient: that of the upper digits alone is too large by 2 at most.
fn next_digit(rest: u32, next: u32, divisor: u32) -> u32 {
    let upper = divisor >> 16u;
    let lower = divisor & 0xffffu;
    var digit = rest / upper;
    var left = rest - digit * upper;
    for (var turn = 0u; turn < 2u; turn += 1u) {
        let is_large = (left < DIGIT) & (digit * lower > ((left << 16u) | next));
        digit -= select(0u, 1u, is_large);
        left += select(0u, upper, is_large);
    }
    return digit;
}
