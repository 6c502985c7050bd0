// multiclass/sharing/clock: the clock of a station whose tokens share all servers, in ticks with 32 bits below.

import package::lib::divide::{wide_divide};
import package::lib::time::{Time, never};
import word64::{Wide, wide, wide_add, wide_high, wide_less, wide_low, wide_product, wide_sub};

// 96 bits.
struct Clock {
    low: Wide,
    high: u32,
}

fn clock_less(a: Clock, b: Clock) -> bool { return a.high < b.high || (a.high == b.high && wide_less(a.low, b.low)); }

// Whether one of two services ends before the other; of services that end together the one whose token came first.
fn ends_first(a: Clock, b: Clock, number_of_a: u32, number_of_b: u32) -> bool {
    return clock_less(a, b) || (!clock_less(b, a) && number_of_a < number_of_b);
}

fn clock_add(a: Clock, b: Clock) -> Clock {
    let low = wide_add(a.low, b.low);
    return Clock(low, a.high + b.high + select(0u, 1u, wide_less(low, a.low)));
}

fn clock_sub(a: Clock, b: Clock) -> Clock {
    return Clock(wide_sub(a.low, b.low), a.high - b.high - select(0u, 1u, wide_less(a.low, b.low)));
}

// A product of ticks and a count.
fn clock_product(ticks: Wide, times: u32) -> Clock {
    let low = wide_product(wide_low(ticks), times);
    let high = wide_add(wide_product(wide_high(ticks), times), wide(wide_high(low), 0u));
    return Clock(wide(wide_low(low), wide_low(high)), wide_high(high));
}

fn of_ticks(ticks: Wide) -> Clock { return Clock(wide(0u, wide_low(ticks)), wide_high(ticks)); }

// A quotient digit and the remainder, from the remainder before (below the divisor, which is below 2^31) and the next
// digit.
fn divided(rest: u32, digit: u32, divisor: u32) -> vec2<u32> {
    let quotient = wide_low(wide_divide(wide(digit, rest), divisor));
    return vec2<u32>(quotient, digit - quotient * divisor);
}

// The gain of the clock in so many ticks, with so many tokens and servers.
fn gain(ticks: Wide, tokens: u32, serving: u32) -> Clock {
    if (tokens == 0u) { return Clock(wide(0u, 0u), 0u); }
    if (tokens <= serving) { return of_ticks(ticks); }
    let product = clock_product(ticks, serving);
    // The first digit is below the servers, and so below the tokens.
    let upper = divided(product.high, wide_high(product.low), tokens);
    let middle = divided(upper.y, wide_low(product.low), tokens);
    let lower = divided(middle.y, 0u, tokens);
    return Clock(wide(lower.x, middle.x), upper.x);
}

// When a clock reaches an end, from now on; never where that is 2^63 or later.
fn time_at(now: Time, clock: Clock, end: Clock, tokens: u32, serving: u32) -> Time {
    var rest = Clock(wide(0u, 0u), 0u);
    if (clock_less(clock, end)) { rest = clock_sub(end, clock); }
    // All above the lowest 32 bits, rounded up: so many ticks with a server for each.
    var ticks = wide_add(wide(wide_high(rest.low), rest.high), wide(select(0u, 1u, wide_low(rest.low) != 0u), 0u));
    if (tokens > serving) {
        // Times the tokens, in four digits; then divided by the servers, from above.
        let a = wide_product(wide_low(rest.low), tokens);
        let b = wide_add(wide_product(wide_high(rest.low), tokens), wide(wide_high(a), 0u));
        let c = wide_add(wide_product(rest.high, tokens), wide(wide_high(b), 0u));
        let more = wide_add(wide(wide_low(b), wide_low(c)), wide(select(0u, 1u, wide_low(a) != 0u), 0u));
        let top = wide_high(c) + select(0u, 1u, (wide_low(more) | wide_high(more)) == 0u && wide_low(a) != 0u);
        if (top >= serving) { return never(); }
        let upper = divided(top, wide_high(more), serving);
        if ((upper.x >> 31u) != 0u) { return never(); }
        let lower = divided(upper.y, wide_low(more), serving);
        ticks = wide_add(wide(lower.x, upper.x), wide(select(0u, 1u, lower.y != 0u), 0u));
    }
    let time = wide_add(now, ticks);
    if (((wide_high(ticks) | wide_high(time)) >> 31u) != 0u) { return never(); }
    return time;
}
