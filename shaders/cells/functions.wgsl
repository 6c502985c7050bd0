// cells/functions: roots, logarithms, powers and angles of rules, the twin of src/cells/rules/functions.rs. Numbers are steps
// of 2^-16.

import package::cells::fixed::{ONE, UNDEFINED, fixed_divide, fixed_either, fixed_range, fixed_signed};
import package::lib::wide::{multiply_high};
import word64::{Wide, wide, wide_add, wide_high, wide_less, wide_low, wide_product, wide_sub};

const FUNCTION_NATURAL: u32 = 0xb17217f8u; // ln 2 in 2^-32
const FUNCTION_DECIMAL: u32 = 0x4d104d42u; // log10 2
const FUNCTION_QUARTER: u32 = 0x40000000u; // of a turn
const FUNCTION_PI: i32 = 843314857;        // in 2^-28

fn size_of(a: i32) -> u32 { return u32(abs(a)); }

// The whole number that is nearest to a root.
fn root_of(radicand: Wide) -> u32 {
    var found = 0u;
    for (var bit = 0x80000000u; bit > 0u; bit >>= 1u) {
        let tried = found | bit;
        if (!wide_less(radicand, wide_product(tried, tried))) { found = tried; }
    }
    let rest = wide_sub(radicand, wide_product(found, found));
    let up = wide_less(wide(found, 0u), rest) && found != 0xffffffffu;
    return found + select(0u, 1u, up);
}

fn function_square_root(a: i32) -> i32 {
    if (a < 0) { return UNDEFINED; }
    return i32(root_of(wide(u32(a) << 16u, u32(a) >> 16u)));
}

fn function_hypotenuse(a: i32, b: i32) -> i32 {
    if (a < 0 || b < 0) { return UNDEFINED; }
    return fixed_signed(root_of(wide_add(wide_product(u32(a), u32(a)), wide_product(u32(b), u32(b)))), false);
}

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

fn logarithm_by(a: i32, factor: u32) -> i32 {
    if (a <= 0) { return UNDEFINED; }
    let binary = logarithm_of(a);
    let size = i32((multiply_high(size_of(binary), factor) + 512u) >> 10u);
    return select(size, -size, binary < 0);
}

fn function_natural(a: i32) -> i32 { return logarithm_by(a, FUNCTION_NATURAL); }
fn function_decimal(a: i32) -> i32 { return logarithm_by(a, FUNCTION_DECIMAL); }

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
    let product = wide_product(size_of(a), 0xb8aa3b29u);
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
    part += multiply_high(part, multiply_high(fraction & 0xffffu, FUNCTION_NATURAL));
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
    var rest = size_of(exponent) >> 16u;
    var found = u32(ONE);
    while (rest > 0u) {
        if ((rest & 1u) == 1u) { found = power_product(found, base); }
        rest >>= 1u;
        if (rest > 0u) { base = power_product(base, base); }
        if (found == 0xffffffffu || base == 0xffffffffu) { return fixed_range(); }
    }
    return i32(found);
}

// An angle in turns, of which a whole one is 2^32.
fn turns_of(angle: i32) -> u32 {
    let turns = size_of(angle) * 10430u + multiply_high(size_of(angle), 1625002897u);
    return select(turns, 0u - turns, angle < 0);
}

// The size of the sine of an angle in turns, in 2^-31.
fn sine_of(turns: u32) -> u32 {
    let part = select(turns << 2u, ~(turns << 2u), ((turns >> 30u) & 1u) == 1u);
    let square = multiply_high(part, part);
    var series = 7728u - multiply_high(square, 122u);
    series = 344545u - multiply_high(square, series);
    series = 10053990u - multiply_high(square, series);
    series = 171138612u - multiply_high(square, series);
    series = 1387197337u - multiply_high(square, series);
    series = 3373259426u - multiply_high(square, series);
    return multiply_high(part, series);
}

fn sine_signed(size: u32, turns: u32) -> i32 { return select(i32(size), -i32(size), (turns >> 31u) == 1u); }
fn sine_rounded(turns: u32) -> i32 { return sine_signed((sine_of(turns) + 0x4000u) >> 15u, turns); }

fn function_sine(angle: i32) -> i32 {
    if (angle == UNDEFINED) { return angle; }
    return sine_rounded(turns_of(angle));
}

fn function_cosine(angle: i32) -> i32 {
    if (angle == UNDEFINED) { return angle; }
    return sine_rounded(turns_of(angle) + FUNCTION_QUARTER);
}

fn function_tangent(angle: i32) -> i32 {
    if (angle == UNDEFINED) { return angle; }
    let turns = turns_of(angle);
    let sine = sine_signed(sine_of(turns) >> 1u, turns);
    let cosine = sine_signed(sine_of(turns + FUNCTION_QUARTER) >> 1u, turns + FUNCTION_QUARTER);
    if (cosine == 0) { return fixed_range(); }
    return fixed_divide(sine, cosine);
}

// The arc tangents of 2^-k, in 2^-28.
const ANGLES: array<i32, 28> = array<i32, 28>(
    210828714, 124459457, 65760959, 33381290, 16755422, 8385879, 4193963, 2097109, 1048571, 524287, 262144, 131072,
    65536, 32768, 16384, 8192, 4096, 2048, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 2,
);

fn angle_scaled(a: u32, zeros: u32) -> i32 {
    if (zeros >= 3u) { return i32(a << (zeros - 3u)); }
    return i32(a >> (3u - zeros));
}

// The angle of a point right of and above the middle, in 2^-28.
fn angle_of(above: u32, right: u32) -> i32 {
    let zeros = countLeadingZeros(max(max(above, right), 1u));
    var x = angle_scaled(right, zeros);
    var y = angle_scaled(above, zeros);
    var angles = ANGLES;
    var found = 0;
    for (var k = 0u; k < 28u; k += 1u) {
        let dx = y >> k;
        let dy = x >> k;
        let sign = select(-1, 1, y > 0);
        x += sign * dx;
        y -= sign * dy;
        found += sign * angles[k];
    }
    return found;
}

fn angle_steps(angle: i32) -> i32 { return (angle + 2048) >> 12u; }

fn function_arc_tangent(a: i32) -> i32 {
    if (a == UNDEFINED) { return a; }
    let size = angle_steps(angle_of(size_of(a), u32(ONE)));
    return select(size, -size, a < 0);
}

// The other side of a triangle with a right angle and a side below 1, in 2^-30.
fn other_side(a: u32) -> u32 {
    return root_of(wide_product((65536u - a) << 14u, (65536u + a) << 14u));
}

fn function_arc_sine(a: i32) -> i32 {
    if (a < -ONE || a > ONE) { return UNDEFINED; }
    let size = angle_steps(angle_of(size_of(a) << 14u, other_side(size_of(a))));
    return select(size, -size, a < 0);
}

fn function_arc_cosine(a: i32) -> i32 {
    if (a < -ONE || a > ONE) { return UNDEFINED; }
    let found = angle_of(other_side(size_of(a)), size_of(a) << 14u);
    return angle_steps(select(found, FUNCTION_PI - found, a < 0));
}
