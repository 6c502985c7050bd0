// cells/angles: angles of rules, a part of the twin of src/cdpp/functions.rs.

import package::cells::fixed::{
    Number, fixed_divide, fixed_negative, fixed_range, fixed_size, fixed_unknown, is_unknown, is_zero,
};
import package::lib::long::{Long, long_high, long_product, long_root, wide_left, wide_negated, wide_right, wide_right_signed, wide_zeros};
import package::lib::wide::{wide_maximum, wide_xor};
import word64::{Wide, wide, wide_add, wide_high, wide_less, wide_low, wide_multiply, wide_sub};

// An angle in turns; a whole turn is 2^64.
fn turns_of(angle: Number) -> Wide {
    let size = fixed_size(angle);
    let turns = wide_add(wide_multiply(size, wide(0x28be60dbu, 0x00000000u)), long_high(size, wide(0x7f09d5f4u, 0x9391054au)));
    return select(turns, wide_negated(turns), fixed_negative(angle));
}

fn quarter_on(turns: Wide) -> Wide { return wide_add(turns, wide(0u, 0x40000000u)); }

// (pi / 2)^n / n! for n = 19, 17, ..., 1, in 2^-63, low word first.
const SINES: array<vec2<u32>, 10> = array<vec2<u32>, 10>(
    vec2<u32>(0x00062901u, 0x00000000u), vec2<u32>(0x0355d865u, 0x00000000u), vec2<u32>(0x6fadb9f1u, 0x00000001u), vec2<u32>(0x3d0d3406u, 0x0000007au),
    vec2<u32>(0x74fde887u, 0x00001e30u), vec2<u32>(0xd21fb9e0u, 0x000541e0u), vec2<u32>(0x7315ec2eu, 0x00996966u), vec2<u32>(0xbad570e9u, 0x0a335e33u),
    vec2<u32>(0x96f94afbu, 0x52aef398u), vec2<u32>(0x2168c235u, 0xc90fdaa2u),
);

// The size of the sine of an angle in turns, in 2^-63.
fn sine_of(turns: Wide) -> Wide {
    let all = select(0u, 0xffffffffu, ((wide_high(turns) >> 30u) & 1u) == 1u);
    let part = wide_xor(wide_left(turns, 2u), wide(all, all));
    let square = long_high(part, part);
    var sines = SINES;
    var series = wide(0u, 0u);
    for (var n = 0u; n < 10u; n += 1u) {
        series = wide_sub(wide(sines[n].x, sines[n].y), long_high(square, series));
    }
    return long_high(part, series);
}

fn sine_signed(size: Wide, turns: Wide) -> Number { return select(size, wide_negated(size), fixed_negative(turns)); }

fn sine_rounded(turns: Wide) -> Number {
    return sine_signed(wide_right(wide_add(sine_of(turns), wide(0x40000000u, 0u)), 31u), turns);
}

fn function_sine(angle: Number) -> Number {
    if (is_unknown(angle)) { return angle; }
    return sine_rounded(turns_of(angle));
}

fn function_cosine(angle: Number) -> Number {
    if (is_unknown(angle)) { return angle; }
    return sine_rounded(quarter_on(turns_of(angle)));
}

fn function_tangent(angle: Number) -> Number {
    if (is_unknown(angle)) { return angle; }
    let turns = turns_of(angle);
    let sine = sine_signed(wide_right(sine_of(turns), 1u), turns);
    let cosine = sine_signed(wide_right(sine_of(quarter_on(turns)), 1u), quarter_on(turns));
    if (is_zero(cosine)) { return fixed_range(); }
    return fixed_divide(sine, cosine);
}

// The arc tangents of 2^-k, in 2^-60, low word first; the later ones are 2^-k.
const ANGLES: array<vec2<u32>, 20> = array<vec2<u32>, 20>(
    vec2<u32>(0x22168c23u, 0x0c90fdaau), vec2<u32>(0x586ed3dau, 0x076b19c1u), vec2<u32>(0x25901bacu, 0x03eb6ebfu), vec2<u32>(0xaac2f6dcu, 0x01fd5ba9u),
    vec2<u32>(0xb967ef4eu, 0x00ffaaddu), vec2<u32>(0xeea5d893u, 0x007ff556u), vec2<u32>(0xb776e535u, 0x003ffeaau), vec2<u32>(0x55bbba97u, 0x001fffd5u),
    vec2<u32>(0xaaaddddcu, 0x000ffffau), vec2<u32>(0x55556eefu, 0x0007ffffu), vec2<u32>(0xeaaaab77u, 0x0003ffffu), vec2<u32>(0xfd55555cu, 0x0001ffffu),
    vec2<u32>(0xffaaaaabu, 0x0000ffffu), vec2<u32>(0xfff55555u, 0x00007fffu), vec2<u32>(0xfffeaaabu, 0x00003fffu), vec2<u32>(0xffffd555u, 0x00001fffu),
    vec2<u32>(0xfffffaabu, 0x00000fffu), vec2<u32>(0xffffff55u, 0x000007ffu), vec2<u32>(0xffffffebu, 0x000003ffu), vec2<u32>(0xfffffffdu, 0x000001ffu),
);

fn angle_scaled(a: Wide, zeros: u32) -> Wide {
    if (zeros >= 3u) { return wide_left(a, zeros - 3u); }
    return wide_right(a, 3u - zeros);
}

// The angle of a point right of and above the middle, in 2^-60.
fn angle_of(above: Wide, right: Wide) -> Wide {
    let zeros = wide_zeros(wide_maximum(wide_maximum(above, right), wide(1u, 0u)));
    var x = angle_scaled(right, zeros);
    var y = angle_scaled(above, zeros);
    var angles = ANGLES;
    var found = wide(0u, 0u);
    for (var k = 0u; k < 36u; k += 1u) {
        let dx = wide_right_signed(y, k);
        let dy = wide_right_signed(x, k);
        var angle = wide_left(wide(1u, 0u), 60u - k);
        if (k < 20u) { angle = wide(angles[k].x, angles[k].y); }
        let up = !fixed_negative(y) && !is_zero(y);
        x = wide_add(x, select(wide_negated(dx), dx, up));
        y = wide_sub(y, select(wide_negated(dy), dy, up));
        found = wide_add(found, select(wide_negated(angle), angle, up));
    }
    return found;
}

fn angle_steps(angle: Wide) -> Number { return wide_right_signed(wide_add(angle, wide(0x8000000u, 0u)), 28u); }

fn function_arc_tangent(a: Number) -> Number {
    if (is_unknown(a)) { return a; }
    return sine_signed(angle_steps(angle_of(fixed_size(a), wide(0u, 1u))), a);
}

// Whether a number is from -1 to 1.
fn is_side(a: Number) -> bool { return !wide_less(wide(0u, 1u), fixed_size(a)); }

// The other short side of a right triangle with the longest side 1 and a side below 1, in 2^-60.
fn other_side(a: Wide) -> Wide {
    let product = long_product(wide_sub(wide(0u, 1u), a), wide_add(wide(0u, 1u), a));
    let upper = wide_left(product.high, 56u);
    let lower = wide_right(product.low, 8u);
    let high = wide(wide_low(upper) | wide_low(lower), wide_high(upper) | wide_high(lower));
    return long_root(Long(wide_left(product.low, 56u), high));
}

fn function_arc_sine(a: Number) -> Number {
    if (!is_side(a)) { return fixed_unknown(); }
    let size = fixed_size(a);
    return sine_signed(angle_steps(angle_of(wide_left(size, 28u), other_side(size))), a);
}

fn function_arc_cosine(a: Number) -> Number {
    if (!is_side(a)) { return fixed_unknown(); }
    let size = fixed_size(a);
    let found = angle_of(other_side(size), wide_left(size, 28u));
    return angle_steps(select(found, wide_sub(wide(0x885a308du, 0x3243f6a8u), found), fixed_negative(a)));
}
