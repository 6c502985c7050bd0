// cells/variates: random numbers of rules that are not uniform, the twin of src/cdpp/variates.rs.

import package::cells::angles::{sine_of, sine_signed};
import package::cells::draws::{rule_draw};
import package::cells::fixed::{
    Number, fixed_add, fixed_either, fixed_multiply, fixed_negative, fixed_range, fixed_size, fixed_unknown, fixed_whole, is_unknown,
};
import package::cells::powers::{function_natural};
import package::lib::long::{Long, long_product, long_root, long_shifted, wide_left, wide_right};
import word64::{wide, wide_add, wide_high, wide_less, wide_low};

// An exponential variate of mean 1.
fn variate_unit() -> Number { return fixed_size(function_natural(wide(rule_draw() | 1u, 0u))); }

fn draw_exponential(mean: Number) -> Number {
    if (fixed_negative(mean)) { return fixed_unknown(); }
    return fixed_multiply(mean, variate_unit());
}

fn draw_normal(mean: Number, deviation: Number) -> Number {
    if (is_unknown(mean) || fixed_negative(deviation)) { return fixed_unknown(); }
    let waiting = variate_unit();
    let radius = long_root(Long(wide_left(waiting, 33u), wide_right(waiting, 31u)));
    let turns = wide(0u, rule_draw());
    let size = long_shifted(long_product(radius, sine_of(turns)), 63u);
    return fixed_add(mean, fixed_multiply(deviation, sine_signed(size, turns)));
}

// Whether a number is 32768 or more: it would take too many draws.
fn is_many(a: Number) -> bool { return wide_high(a) > 0x7fffu; }

fn draw_poisson(mean: Number) -> Number {
    if (fixed_negative(mean)) { return fixed_unknown(); }
    if (is_many(mean)) { return fixed_range(); }
    var sum = variate_unit();
    var count = 0u;
    while (!wide_less(mean, sum)) {
        sum = wide_add(sum, variate_unit());
        count += 1u;
    }
    return fixed_whole(count);
}

fn draw_binomial(count: Number, probability: Number) -> Number {
    if (fixed_either(count, probability) || fixed_negative(count) || wide_low(count) != 0u) { return fixed_unknown(); }
    if (wide_less(wide(0u, 1u), probability)) { return fixed_unknown(); }
    if (is_many(count)) { return fixed_range(); }
    var found = 0u;
    for (var n = 0u; n < wide_high(count); n += 1u) {
        found += select(0u, 1u, wide_less(wide(rule_draw(), 0u), probability));
    }
    return fixed_whole(found);
}
