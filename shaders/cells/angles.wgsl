// cells/angles: angles of rules, a part of the twin of src/cdpp/functions.rs. Numbers are steps of 2^-16.

import package::cells::fixed::{ONE, UNDEFINED, fixed_divide, fixed_range};
import package::lib::root::{root_of};
import package::lib::wide::{multiply_high};
import word64::{wide_product};

const QUARTER: u32 = 0x40000000u; // of a turn
const PI: i32 = 843314857;        // in 2^-28

fn size_of(a: i32) -> u32 { return u32(abs(a)); }

// An angle in turns; a whole turn is 2^32.
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
    return sine_rounded(turns_of(angle) + QUARTER);
}

fn function_tangent(angle: i32) -> i32 {
    if (angle == UNDEFINED) { return angle; }
    let turns = turns_of(angle);
    let sine = sine_signed(sine_of(turns) >> 1u, turns);
    let cosine = sine_signed(sine_of(turns + QUARTER) >> 1u, turns + QUARTER);
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

// The other short side of a right triangle with the longest side 1 and a side below 1, in 2^-30.
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
    return angle_steps(select(found, PI - found, a < 0));
}
