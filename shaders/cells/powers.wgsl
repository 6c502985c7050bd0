// cells/powers: logarithms and powers of rules, a part of the twin of src/cdpp/functions.rs.

import package::cells::fixed::{Number, fixed_divide, fixed_either, fixed_negative, fixed_range, fixed_signed};
import package::cells::fixed::{fixed_size, fixed_truth, fixed_unknown, is_unknown, is_zero};
import package::lib::long::{Long, long_divide, long_high, long_product, long_shifted};
import package::lib::long::{wide_left, wide_negated, wide_right, wide_zeros};
import word64::{Wide, wide, wide_add, wide_high, wide_less, wide_low, wide_sub};

fn natural_factor() -> Wide { return wide(0xd1cf79acu, 0xb17217f7u); } // ln 2 in 2^-64
fn decimal_factor() -> Wide { return wide(0x7de7fbccu, 0x4d104d42u); } // log10 2
fn third_of(a: Wide) -> Wide { return long_high(a, wide(0x55555555u, 0x55555555u)); }

// 2^-(2^-k) for k from 1, in 2^-64, low word first.
const INVERSES: array<vec2<u32>, 12> = array<vec2<u32>, 12>(
    vec2<u32>(0xf9de6484u, 0xb504f333u), vec2<u32>(0xd69d6af4u, 0xd744fccau), vec2<u32>(0xdd24392fu, 0xeac0c6e7u), vec2<u32>(0x2486cc2cu, 0xf5257d15u),
    vec2<u32>(0x722a033au, 0xfa83b2dbu), vec2<u32>(0xf486c175u, 0xfd3e0c0cu), vec2<u32>(0x7b8f884cu, 0xfe9e115cu), vec2<u32>(0x511ec8a5u, 0xff4ecb59u),
    vec2<u32>(0x1c8daed2u, 0xffa75652u), vec2<u32>(0xc0f7e10cu, 0xffd3a751u), vec2<u32>(0xf7db2756u, 0xffe9d2b2u), vec2<u32>(0xff1b8c3eu, 0xfff4e91bu),
);

// The logarithm to 2 of a number of steps above 0, in 2^-56.
fn logarithm_of(a: Wide) -> Wide {
    let zeros = wide_zeros(a);
    var part = wide_left(a, zeros);
    var found = bitcast<u32>((31 - i32(zeros)) << 24u);
    var inverses = INVERSES;
    for (var k = 0u; k < 12u; k += 1u) {
        let less = long_high(part, wide(inverses[k].x, inverses[k].y));
        if (wide_high(less) >> 31u == 1u) {
            part = less;
            found += 1u << (23u - k);
        }
    }
    let above = wide_left(part, 1u);
    let square = long_high(above, above);
    var sum = wide_add(wide_sub(above, wide_right(square, 1u)), third_of(long_high(square, above)));
    sum = wide_add(sum, long_high(sum, wide(0xb82fe177u, 0x71547652u)));
    return wide_add(wide(0u, found), wide_right(sum, 8u));
}

fn logarithm_by(a: Number, factor: Wide) -> Number {
    if (fixed_negative(a) || is_zero(a)) { return fixed_unknown(); }
    let binary = logarithm_of(a);
    let size = wide_right(wide_add(long_high(fixed_size(binary), factor), wide(0x800000u, 0u)), 24u);
    return fixed_signed(size, fixed_negative(binary));
}

fn function_natural(a: Number) -> Number { return logarithm_by(a, natural_factor()); }
fn function_decimal(a: Number) -> Number { return logarithm_by(a, decimal_factor()); }
fn function_logarithm(a: Number, base: Number) -> Number {
    if (fixed_negative(a) || fixed_negative(base) || is_zero(a) || is_zero(base)) { return fixed_unknown(); }
    return fixed_divide(logarithm_of(a), logarithm_of(base));
}

// 2^(2^-k) for k from 1, in 2^-63, low word first.
const POWERS: array<vec2<u32>, 12> = array<vec2<u32>, 12>(
    vec2<u32>(0xf9de6484u, 0xb504f333u), vec2<u32>(0x8db8a96fu, 0x9837f051u), vec2<u32>(0xea8bd6e7u, 0x8b95c1e3u), vec2<u32>(0xcc487b15u, 0x85aac367u),
    vec2<u32>(0xac2ba1d7u, 0x82cd8698u), vec2<u32>(0xbc030773u, 0x8164d1f3u), vec2<u32>(0xd999ab6cu, 0x80b1ed4fu), vec2<u32>(0xd5e5f6b1u, 0x8058d7d2u),
    vec2<u32>(0xd0e04f51u, 0x802c6436u), vec2<u32>(0x17467628u, 0x8016302fu), vec2<u32>(0x82028fd1u, 0x800b179cu), vec2<u32>(0x7fee3b5du, 0x80058bafu),
);

fn function_exponential(a: Number) -> Number {
    if (is_unknown(a)) { return a; }
    if (bitcast<i32>(wide_high(a)) >= 22) { return fixed_range(); }
    if (bitcast<i32>(wide_high(a)) < -23) { return fixed_truth(false); }
    let product = long_product(wide_left(fixed_size(a), 26u), wide(0x5c17f0bcu, 0xb8aa3b29u));
    var whole = i32(wide_low(wide_right(product.high, 57u)));
    let upper = wide_left(product.high, 7u);
    var fraction = wide(wide_low(upper) | wide_low(wide_right(product.low, 57u)), wide_high(upper));
    if (fixed_negative(a)) {
        whole = select(~whole, -whole, is_zero(fraction));
        fraction = wide_negated(fraction);
    }
    var powers = POWERS;
    var part = wide(0u, 0x80000000u);
    for (var k = 0u; k < 12u; k += 1u) {
        if (((wide_high(fraction) >> (31u - k)) & 1u) == 1u) {
            part = wide_left(long_high(part, wide(powers[k].x, powers[k].y)), 1u);
        }
    }
    let rest = long_high(wide(wide_low(fraction), wide_high(fraction) & 0xfffffu), natural_factor());
    let square = long_high(rest, rest);
    let cube = long_high(square, rest);
    var sum = wide_add(rest, wide_right(square, 1u));
    sum = wide_add(wide_add(sum, wide_right(third_of(cube), 1u)), wide_right(third_of(long_high(cube, rest)), 3u));
    return number_of(Scaled(wide_add(part, long_high(part, sum)), whole - 63));
}

// A number above 0 as a mantissa from 2^63 on and the exponent of 2 of its factor.
struct Scaled { mantissa: Wide, exponent: i32 }

fn number_of(a: Scaled) -> Number {
    let shift = -32 - a.exponent;
    if (shift < 1) { return fixed_range(); }
    if (shift > 64) { return fixed_truth(false); }
    return fixed_signed(long_shifted(Long(a.mantissa, wide(0u, 0u)), u32(shift)), false);
}

fn scaled_times(a: Scaled, b: Scaled) -> Scaled {
    let product = long_product(a.mantissa, b.mantissa);
    let up = wide_high(product.high) >> 31u;
    let exponent = clamp(a.exponent + b.exponent + 63 + i32(up), -4096, 4096);
    let twice = wide_add(wide_left(product.high, 1u), wide_right(product.low, 63u));
    return Scaled(select(twice, product.high, up == 1u), exponent);
}

fn scaled_inverse(a: Scaled) -> Scaled {
    let half = wide_right(a.mantissa, 1u);
    let one = wide(0u, 0x40000000u);
    if (!wide_less(one, half)) { return Scaled(wide(0u, 0x80000000u), -126 - a.exponent); }
    return Scaled(long_divide(Long(wide(0u, 0u), one), half).low, -127 - a.exponent);
}

fn function_power(a: Number, exponent: Number) -> Number {
    if (fixed_either(a, exponent) || fixed_negative(a) || wide_low(exponent) != 0u) { return fixed_unknown(); }
    let inverse = fixed_negative(exponent);
    if (is_zero(a)) {
        if (inverse) { return fixed_range(); }
        return fixed_truth(is_zero(exponent));
    }
    let zeros = wide_zeros(a);
    var base = Scaled(wide_left(a, zeros), -32 - i32(zeros));
    var found = Scaled(wide(0u, 0x80000000u), -63);
    for (var rest = wide_high(fixed_size(exponent)); rest > 0u; rest >>= 1u) {
        if ((rest & 1u) == 1u) { found = scaled_times(found, base); }
        base = scaled_times(base, base);
    }
    if (inverse) { found = scaled_inverse(found); }
    return number_of(found);
}
