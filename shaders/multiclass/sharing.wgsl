// multiclass/sharing: stations whose tokens share all servers: the twin of src/queueing/reference/multiclass/sharing.rs. A clock shows
// what each token that has always been there has had of its service, in ticks with 32 bits below. A station has, from its word
// `sharing` on:
//
//   0    the lower 64 bits of its clock; 1: when it showed that
//   2    the lower 64 bits of what it showed when the counting began
//   3    the upper 32 bits of both
//
// Its tokens are linked in the order in which their services end, the first with an event; each has in words 8 and 9 what the clock
// shows then. What a class was served lies in words 5 and 10 of its account, in ticks with 32 bits below.
//
// Reads: parameters, structure. Reads and writes: held.

import package::lib::time::{Time, never};
import package::lib::wide::{wide_maximum};
import package::multiclass::accounts::{FAULT_WAITING, add_front, counted_since};
import package::multiclass::parameters::{NONE, parameters, structure};
import package::multiclass::pending::{DEPARTURE, add_event, take_event};
import package::multiclass::state::{
    back_at, back_wide, front_at, front_wide, mine, set_back, set_back_wide, set_front, set_front_wide,
};
import package::multiclass::station::{site};
import package::multiclass::tokens::{token_at};
import package::multiclass::waiting::{level_word};
import word64::{Wide, wide, wide_add, wide_divide, wide_high, wide_less, wide_low, wide_product, wide_sub};

// 96 bits.
struct Clock {
    low: Wide,
    high: u32,
}

fn clock_less(a: Clock, b: Clock) -> bool { return a.high < b.high || (a.high == b.high && wide_less(a.low, b.low)); }

fn clock_add(a: Clock, b: Clock) -> Clock {
    let low = wide_add(a.low, b.low);
    return Clock(low, a.high + b.high + select(0u, 1u, wide_less(low, a.low)));
}

fn clock_sub(a: Clock, b: Clock) -> Clock {
    return Clock(wide_sub(a.low, b.low), a.high - b.high - select(0u, 1u, wide_less(a.low, b.low)));
}

fn of_ticks(ticks: Wide) -> Clock { return Clock(wide(0u, wide_low(ticks)), wide_high(ticks)); }

fn servers() -> u32 { return structure[parameters.sharing_rows + site.id].x; }

fn is_shared() -> bool { return servers() != 0u; }

// A digit of a quotient and the rest, of a rest below the divisor (below 2^31) and the next digit.
fn divided(rest: u32, digit: u32, divisor: u32) -> vec2<u32> {
    let quotient = wide_low(wide_divide(wide(digit, rest), divisor));
    return vec2<u32>(quotient, digit - quotient * divisor);
}

// What the clock gains in so many ticks, with so many tokens.
fn gain(ticks: Wide, tokens: u32) -> Clock {
    let serving = servers();
    if (tokens == 0u) { return Clock(wide(0u, 0u), 0u); }
    if (tokens <= serving) { return of_ticks(ticks); }
    let low = wide_product(wide_low(ticks), serving);
    let high = wide_add(wide_product(wide_high(ticks), serving), wide(wide_high(low), 0u));
    // The first digit is below the servers, and so below the tokens.
    let upper = divided(wide_high(high), wide_low(high), tokens);
    let middle = divided(upper.y, wide_low(low), tokens);
    let lower = divided(middle.y, 0u, tokens);
    return Clock(wide(lower.x, middle.x), upper.x);
}

// Brings the clock of the open station up to now.
fn advance_clock() -> Clock {
    let words = site.words + parameters.sharing / 2u;
    let uppers = back_at(words + 1u);
    let since = back_wide(words);
    let now = clock_add(Clock(front_wide(words), uppers.x), gain(wide_sub(mine.now, since), site.serving));
    set_front_wide(words, now.low);
    set_back_wide(words, mine.now);
    var counting = uppers.y;
    if (mine.counted == 1u && wide_less(since, parameters.warmup)) {
        let first = clock_sub(now, gain(counted_since(since), site.serving));
        set_front_wide(words + 1u, first.low);
        counting = first.high;
    }
    set_back(words + 1u, now.high, counting);
    return now;
}

fn service_end(token: u32) -> Clock {
    let words = token_at(token);
    return Clock(front_wide(words + 4u), wide_low(back_wide(words + 4u)));
}

// Schedules the end of the service that ends next, if nobody comes, of so many tokens.
fn plan_end(clock: Clock, tokens: u32) {
    let first = front_at(level_word(0u)).x;
    if (first == NONE) { return; }
    add_event(DEPARTURE | site.id, first, front_at(token_at(first) + 3u), 0u, time_at(clock, service_end(first), tokens));
}

// When the clock shows that; never where it is 2^63 or later.
fn time_at(clock: Clock, end: Clock, tokens: u32) -> Time {
    let serving = servers();
    var rest = Clock(wide(0u, 0u), 0u);
    if (clock_less(clock, end)) { rest = clock_sub(end, clock); }
    // All above the lowest 32 bits, rounded up: so many ticks with a server for each.
    var ticks = wide_add(wide(wide_high(rest.low), rest.high), wide(select(0u, 1u, wide_low(rest.low) != 0u), 0u));
    if (tokens > serving) {
        // As many times as there are tokens, in four digits; then divided by the servers, from above.
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
    let time = wide_add(mine.now, ticks);
    if (((wide_high(ticks) | wide_high(time)) >> 31u) != 0u) { return never(); }
    return time;
}

// A token begins to share.
fn join(token: u32) {
    let clock = advance_clock();
    let words = token_at(token);
    let end = clock_add(clock, of_ticks(back_wide(words + 2u)));
    set_front_wide(words + 4u, end.low);
    set_back_wide(words + 4u, wide(end.high, 0u));
    let first = front_at(level_word(0u)).x;
    if (first != NONE) { _ = take_event(first); }
    // Behind all whose services end no later.
    var before = NONE;
    var behind = first;
    while (behind != NONE && !clock_less(end, service_end(behind))) {
        before = behind;
        behind = front_at(token_at(behind)).y;
    }
    set_front(words, NONE, behind);
    if (before == NONE) {
        set_front(level_word(0u), token, NONE);
    } else {
        set_front(token_at(before), NONE, token);
    }
    plan_end(clock, site.serving + 1u);
}

// The first token shares no longer.
fn part(token: u32) {
    let clock = advance_clock();
    set_front(level_word(0u), front_at(token_at(token)).y, NONE);
    plan_end(clock, site.serving - 1u);
}

// What a class was served: what the clock has shown more since the token came, or since the counting began. And what its service has
// lasted longer than with a server of its own.
fn work_of(account: u32, token: u32, start: Time) -> Wide {
    let words = token_at(token);
    if (!is_shared()) { return counted_since(start); }
    if (mine.counted == 0u) { return wide(0u, 0u); }
    let service = back_wide(words + 2u);
    let lasted = wide_sub(mine.now, front_wide(words + 1u));
    add_front(account + 1u, wide_sub(wide_maximum(lasted, service), service), FAULT_WAITING);
    let clock_words = site.words + parameters.sharing / 2u;
    let uppers = back_at(clock_words + 1u);
    let clock = Clock(front_wide(clock_words), uppers.x);
    var begin = Clock(front_wide(clock_words + 1u), uppers.y);
    let own_begin = clock_sub(service_end(token), of_ticks(service));
    if (clock_less(begin, own_begin)) { begin = own_begin; }
    let served = clock_sub(clock, begin);
    // All but what 64 bits of the sum have room for.
    let carry = select(0u, 1u, wide_less(wide_add(back_wide(account + 2u), served.low), served.low));
    set_front_wide(account + 5u, wide_add(front_wide(account + 5u), wide_add(wide(served.high, 0u), wide(carry, 0u))));
    return served.low;
}
