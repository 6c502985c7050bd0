// cells/powers: logarithms and powers of rules, a part of the twin of src/cdpp/functions.rs. Numbers are steps of 2^-16.

import package::cells::fixed::{ONE, UNDEFINED, fixed_divide, fixed_either, fixed_range};
import package::lib::wide::{multiply_high};
import word64::{wide, wide_add, wide_high, wide_low, wide_product, wide_sub};

const NATURAL: u32 = 0xb17217f8u; // ln 2 in 2^-32
const DECIMAL: u32 = 0x4d104d42u; // log10 2

// The logarithm to 2 of a whole number above 0, in 2^-26.
fn logarithm(x: u32) -> i32 {
    let zeros = countLeadingZeros(x);
    var part = x << zeros;
    var found = 31u - zeros;
    for (var n = 0u; n < 26u; n += 1u) {
        let square = wide_product(part, part);
        let bit = wide_high(square) >> 31u;
        part = select((wide_high(square) << 1u) | (wide_low(square) >> 31u), wide_high(square), bit == 1u);
        found = (found << 1u) | bit;
    }
    return i32(found);
}

fn logarithm_of(a: i32) -> i32 { return logarithm(u32(a)) - 1073741824; }

fn power_size(a: i32) -> u32 { return u32(abs(a)); }

fn logarithm_by(a: i32, factor: u32) -> i32 {
    if (a <= 0) { return UNDEFINED; }
    let binary = logarithm_of(a);
    let size = i32((multiply_high(power_size(binary), factor) + 512u) >> 10u);
    return select(size, -size, binary < 0);
}

fn function_natural(a: i32) -> i32 { return logarithm_by(a, NATURAL); }
fn function_decimal(a: i32) -> i32 { return logarithm_by(a, DECIMAL); }

fn function_logarithm(a: i32, base: i32) -> i32 {
    if (a <= 0 || base <= 0) { return UNDEFINED; }
    return fixed_divide(logarithm_of(a), logarithm_of(base));
}

// 2^(2^-k) for k from 1, in 2^-31.
const POWERS: array<u32, 16> = array<u32, 16>(
    0xb504f334u, 0x9837f052u, 0x8b95c1e4u, 0x85aac368u, 0x82cd8699u, 0x8164d1f4u, 0x80b1ed50u, 0x8058d7d3u,
    0x802c6437u, 0x8016302fu, 0x800b179du, 0x80058bafu, 0x8002c5d0u, 0x800162e6u, 0x8000b173u, 0x800058b9u,
);

fn function_exponential(a: i32) -> i32 {
    if (a == UNDEFINED) { return a; }
    if (a >= 681391) { return fixed_range(); }
    if (a < -819200) { return 0; }
    let product = wide_product(power_size(a), 0xb8aa3b29u);
    var exponent = wide((wide_low(product) >> 15u) | (wide_high(product) << 17u), wide_high(product) >> 15u);
    if (a < 0) { exponent = wide_sub(wide(0u, 0u), exponent); }
    let whole = bitcast<i32>(wide_high(exponent));
    let fraction = wide_low(exponent);
    var powers = POWERS;
    var part = 0x80000000u;
    for (var k = 0u; k < 16u; k += 1u) {
        if (((fraction >> (31u - k)) & 1u) == 1u) {
            let next = wide_product(part, powers[k]);
            part = (wide_high(next) << 1u) | (wide_low(next) >> 31u);
        }
    }
    part += multiply_high(part, multiply_high(fraction & 0xffffu, NATURAL));
    let shift = u32(14 - whole);
    if (shift >= 32u) { return 0; }
    return i32(((part >> shift) + 1u) >> 1u);
}

// The product of two numbers that are not negative; all ones where it is out of the range.
fn power_product(a: u32, b: u32) -> u32 {
    let product = wide_add(wide_product(a, b), wide(0x8000u, 0u));
    if (wide_high(product) > 0x7fffu) { return 0xffffffffu; }
    return (wide_low(product) >> 16u) | (wide_high(product) << 16u);
}

fn function_power(a: i32, exponent: i32) -> i32 {
    if (fixed_either(a, exponent) || a < 0 || (exponent & 0xffff) != 0) { return UNDEFINED; }
    var base = u32(a);
    if (exponent < 0) {
        if (a < 2) { return fixed_range(); }
        base = u32(fixed_divide(ONE, a));
    }
    var rest = power_size(exponent) >> 16u;
    var found = u32(ONE);
    while (rest > 0u) {
        if ((rest & 1u) == 1u) { found = power_product(found, base); }
        rest >>= 1u;
        if (rest > 0u) { base = power_product(base, base); }
        if (found == 0xffffffffu || base == 0xffffffffu) { return fixed_range(); }
    }
    return i32(found);
}
