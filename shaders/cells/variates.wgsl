// cells/variates: random numbers of rules that are not uniform, the twin of src/cdpp/variates.rs.

import package::cells::angles::{sine_of, sine_signed};
import package::cells::draws::{rule_draw};
import package::cells::fixed::{ONE, UNDEFINED, fixed_add, fixed_either, fixed_multiply, fixed_whole};
import package::cells::powers::{NATURAL, logarithm};
import package::lib::root::{root_of};
import package::lib::wide::{multiply_high};
import word64::{wide, wide_add, wide_high, wide_low, wide_product};

// An exponential variate of mean 1, in 2^-26.
fn variate_waiting() -> u32 {
    return multiply_high(0x80000000u - u32(logarithm(rule_draw() | 1u)), NATURAL);
}

fn variate_unit() -> i32 { return i32((variate_waiting() + 512u) >> 10u); }

fn draw_exponential(mean: i32) -> i32 {
    if (mean < 0) { return UNDEFINED; }
    return fixed_multiply(mean, variate_unit());
}

fn draw_normal(mean: i32, deviation: i32) -> i32 {
    if (mean == UNDEFINED || deviation < 0) { return UNDEFINED; }
    let waiting = variate_waiting();
    let radius = root_of(wide(waiting << 7u, waiting >> 25u));
    let turns = rule_draw();
    let product = wide_add(wide_product(radius, sine_of(turns)), wide(0x40000000u, 0u));
    let size = (wide_high(product) << 1u) | (wide_low(product) >> 31u);
    return fixed_add(mean, fixed_multiply(deviation, sine_signed(size, turns)));
}

fn draw_poisson(mean: i32) -> i32 {
    if (mean < 0) { return UNDEFINED; }
    var sum = u32(variate_unit());
    var count = 0u;
    while (sum <= u32(mean)) {
        sum += u32(variate_unit());
        count += 1u;
    }
    return fixed_whole(count);
}

fn draw_binomial(count: i32, probability: i32) -> i32 {
    if (fixed_either(count, probability) || count < 0 || (count & 0xffff) != 0) { return UNDEFINED; }
    if (probability < 0 || probability > ONE) { return UNDEFINED; }
    var found = 0u;
    for (var n = 0; n < count; n += ONE) {
        found += select(0u, 1u, (rule_draw() >> 16u) < u32(probability));
    }
    return fixed_whole(found);
}
