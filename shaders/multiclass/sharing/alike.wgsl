// multiclass/sharing/alike: stations whose tokens share all servers: the twin of src/queueing/reference/oracle/sharing.rs. A clock shows
// the service that a token would have had that was there from the start, in ticks with 32 bits below. A station has, from its word
// `sharing` on:
//
//   0    the lower 64 bits of its clock; 1: the time of this reading
//   2    the lower 64 bits of the clock when the counting began
//   3    the upper 32 bits of both
//
// Its tokens are linked in the order in which their services end, the first with an event; each has in words 8 and 9 the clock at its
// end of service. Words 5 and 10 of a class's account have the service that the class has had, in ticks with 32 bits below.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import package::lib::time::{Time};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::pending::{DEPARTURE, add_event, take_event};
import package::multiclass::queues::lists::{level_word};
import package::multiclass::queues::waiting::{guest};
import package::multiclass::rows::{back_at, back_wide, front_at, front_wide, set_back, set_back_wide, set_front, set_front_wide};
import package::multiclass::sharing::clock::{Clock, clock_add, clock_less, clock_sub, ends_first, gain, of_ticks, time_at};
import package::multiclass::sharing::rules::{sharing_of};
import package::multiclass::state::{mine};
import package::multiclass::stations::station::{site};
import package::multiclass::statistics::account_rows::{add_shared};
import package::multiclass::statistics::accounts::{Served, counted_since};
import package::multiclass::tokens::{links_of, numbers_of, set_neighbours, token_at};
import word64::{Wide, wide, wide_less, wide_low, wide_sub};

fn shared_servers(id: u32) -> u32 { return sharing_of(id).servers; }

fn servers() -> u32 { return shared_servers(site.id); }

fn is_shared() -> bool { return servers() != 0u; }
fn has_clock() -> bool { return is_shared(); }
fn knows_service() -> bool { return true; }
fn close_clock() {}
fn changes_pace() {}
fn time_taken(token: u32, stay: Served) -> Time { return stay.service; }

// Where all tokens share, no service is interrupted.
fn last_by_clock() -> u32 { return NONE; }

// What the clock of a station shows, and what it showed when the counting began.
fn shown(words: u32) -> Clock { return Clock(front_wide(words), back_at(words + 1u).x); }
fn counted_from(words: u32) -> Clock { return Clock(front_wide(words + 1u), back_at(words + 1u).y); }

// Brings the clock of the open station up to now.
fn advance_clock() -> Clock {
    let words = site.words + plan.sharing / 2u;
    let before = shown(words);
    var counting = counted_from(words).high;
    let since = back_wide(words);
    let now = clock_add(before, gain(wide_sub(mine.now, since), site.serving, servers()));
    set_front_wide(words, now.low);
    set_back_wide(words, mine.now);
    if (mine.counted == 1u && wide_less(since, plan.warmup)) {
        let first = clock_sub(now, gain(counted_since(since), site.serving, servers()));
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

// Schedules the end of the service that ends next, among so many tokens, if no token comes.
fn plan_end(clock: Clock, tokens: u32) {
    let first = front_at(level_word(0u)).x;
    if (first == NONE) { return; }
    let numbers = numbers_of(first);
    add_event(DEPARTURE | site.id, first, vec2<u32>(numbers.arrival, numbers.event), 0u, time_at(mine.now, clock, service_end(first), tokens, servers()));
}

// A token begins to share.
fn join(token: u32, work: Time) {
    let clock = advance_clock();
    let words = token_at(token);
    let end = clock_add(clock, of_ticks(work));
    set_front_wide(words + 4u, end.low);
    set_back_wide(words + 4u, wide(end.high, 0u));
    let first = front_at(level_word(0u)).x;
    if (first != NONE) { _ = take_event(first); }
    var before = NONE;
    var behind = first;
    while (behind != NONE && ends_first(service_end(behind), end, numbers_of(behind).arrival, guest.arrival)) {
        before = behind;
        behind = links_of(behind).behind;
    }
    set_neighbours(token, NONE, behind);
    if (before == NONE) {
        set_front(level_word(0u), token, NONE);
    } else {
        set_neighbours(before, NONE, token);
    }
    plan_end(clock, site.serving + 1u);
}

// The first token shares no longer.
fn part(token: u32) -> Time {
    let clock = advance_clock();
    set_front(level_word(0u), links_of(token).behind, NONE);
    plan_end(clock, site.serving - 1u);
    return wide(0u, 0u);
}

// How much longer the service of a token has lasted than with a server of its own.
// It is never negative, as a clock gains at most the time that has passed; and with the difference of a maximum and one of its
// words a driver had other sums (tests/shaders).
fn longer_by(stay: Served) -> Time {
    if (!is_shared() || mine.counted == 0u) { return wide(0u, 0u); }
    return wide_sub(wide_sub(mine.now, stay.arrived), stay.service);
}

// The service that a class has had: what the clock has gained since the token came, or since the counting began.
fn work_of(account: u32, token: u32, stay: Served) -> Wide {
    if (!is_shared()) { return counted_since(stay.start); }
    if (mine.counted == 0u) { return wide(0u, 0u); }
    let clock_words = site.words + plan.sharing / 2u;
    let clock = shown(clock_words);
    var begin = counted_from(clock_words);
    let own_begin = clock_sub(service_end(token), of_ticks(stay.service));
    if (clock_less(begin, own_begin)) { begin = own_begin; }
    let served = clock_sub(clock, begin);
    add_shared(account, wide(served.high, 0u), served.low);
    return served.low;
}
