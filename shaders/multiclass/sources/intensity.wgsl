// multiclass/sources/intensity: tokens of a source come at a rate that changes with time: the twin of
// src/queueing/describe/intensity.rs. Of such a source its words have, behind the first four:
//
//   4    when the period began
//   5    expected tokens since then, in units of 2^-32

import package::lib::pcg32::{Stream, draw};
import package::lib::quad::{is_nothing};
import package::lib::service::{exponential};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_scale, wide_shift_right};
import package::multiclass::sources::intervals::{Intervals, period_of, step_at, step_interval};
import source_words::{first_word, second_word, set_first_word, set_second_word};
import word64::{Wide, wide, wide_add, wide_high, wide_less, wide_low, wide_multiply, wide_product, wide_sub};

fn begin_period(source: u32, start: Time) { set_first_word(source, start); }

// A time, or never where it is 2^63 or more.
fn bounded(time: Time) -> Time {
    if ((wide_high(time) >> 31u) != 0u) { return never(); }
    return time;
}

// a + b, or never.
fn bounded_sum(a: Wide, b: Wide) -> Wide {
    let sum = wide_add(a, b);
    if (wide_less(sum, a)) { return never(); }
    return bounded(sum);
}

// a * b, or never.
fn bounded_product(a: Wide, b: Wide) -> Wide {
    if (wide_high(a) != 0u && wide_high(b) != 0u) { return never(); }
    // One of these products is 0.
    let upper = wide_add(wide_product(wide_high(a), wide_low(b)), wide_product(wide_low(a), wide_high(b)));
    if (wide_high(upper) != 0u) { return never(); }
    return bounded_sum(wide(0u, wide_low(upper)), wide_product(wide_low(a), wide_low(b)));
}

// floor(a b / 2^32), or never.
fn bounded_part(a: Wide, b: Wide) -> Wide {
    return bounded_sum(bounded_product(wide(wide_high(a), 0u), b), wide_scale(wide(wide_low(a), 0u), b));
}

// The quotient of two numbers below 2^63; mostly 0 or 1.
fn quotient(number: Wide, divisor: Wide) -> Wide {
    var rest = number;
    var part = divisor;
    var times = wide(1u, 0u);
    while (!wide_less(rest, wide_add(part, part))) {
        part = wide_add(part, part);
        times = wide_add(times, times);
    }
    var sum = wide(0u, 0u);
    loop {
        if (!wide_less(rest, part)) {
            rest = wide_sub(rest, part);
            sum = wide_add(sum, times);
        }
        if (wide_low(times) == 1u) { break; }
        part = wide_shift_right(part, 1u);
        times = wide_shift_right(times, 1u);
    }
    return sum;
}

// The row of the last step before which at most so many tokens are expected.
fn step_of(first: u32, count: u32, mass: Wide) -> u32 {
    var low = 0u;
    var high = count;
    while (high - low > 1u) {
        let middle = (low + high) / 2u;
        if (wide_less(mass, step_at(first + 2u * middle).before)) { high = middle; } else { low = middle; }
    }
    return first + 2u * low;
}

// When the next token of a source comes; never where that is 2^63 or later.
fn next_by_rate(source: u32, steps: Intervals, stream: ptr<function, Stream>) -> Time {
    let period = period_of(source);
    let all = period.tokens;
    var begin = first_word(source);
    var mass = wide_add(second_word(source), exponential(draw(stream)));
    if (!is_nothing(all) && !wide_less(mass, all)) {
        let periods = quotient(mass, all);
        mass = wide_sub(mass, wide_multiply(periods, all));
        begin = bounded_sum(begin, bounded_product(periods, period.length));
        set_first_word(source, begin);
    }
    set_second_word(source, mass);
    let found = step_of(steps.first, steps.count, mass);
    let step = step_at(found);
    let mean = step_interval(found);
    if (is_nothing(mean)) { return never(); }
    let rest = wide_sub(mass, step.before);
    return bounded_sum(begin, bounded_sum(step.start, bounded_part(rest, mean)));
}
