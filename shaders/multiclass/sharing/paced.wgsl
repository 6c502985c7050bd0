// multiclass/sharing/paced: stations with a clock, whose tokens share all servers, by weights or alike, or are served at a speed by the
// number present: the twin of src/queueing/reference/oracle/sharing.rs. A station has, from its word `sharing` on, pairs of words:
//
//   0    its clock: the service of a token of weight 1 that was there from the start, in ticks with 32 bits below
//   2    the same at a speed of 1, since the end of the warm-up
//   4, 6 `ClockTimes` and `ClockPace` of paced_clock
//
// Its tokens in service are linked in the order in which their services end, the first with an event. Each has in words 10 and 11 the
// clock at its end of service; in 12 and 13 the other clock at its arrival, where all share, or else how long it was served.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import package::lib::quad::{Quad, quad_add, quad_divide_up, quad_of, quad_product, quad_sub};
import package::lib::time::{Time};
import package::multiclass::parameters::{NONE};
import package::multiclass::pending::{hole, take_event};
import package::multiclass::queues::orders::{is_last};
import package::multiclass::queues::waiting::{guest};
import package::multiclass::rows::{back_wide, front_wide, row_at, set_back_wide, set_front_wide, set_row};
import package::multiclass::sharing::pace::{left_until};
import package::multiclass::sharing::paced_clock::{
    clock_row, first_of_clock, is_read, plan_end, planned, read_clock, rule_here, unit_of, weight_of,
};
import package::multiclass::sharing::paced_line::{end_of, leave_line, line_up};
import package::multiclass::sharing::rules::{sharing_of};
import package::multiclass::state::{mine};
import package::multiclass::statistics::account_rows::{add_shared};
import package::multiclass::statistics::accounts::{Served, counted_since};
import package::multiclass::tokens::{CLASS, INTERRUPTED, links_of, numbers_of, service_of, token_at};
import word64::{Wide, wide, wide_add, wide_high, wide_less, wide_low, wide_sub};

fn shared_servers(id: u32) -> u32 { return sharing_of(id).servers; }
fn is_shared() -> bool { return rule_here().servers != 0u; }
fn has_clock() -> bool { return (rule_here().servers | rule_here().speeds) != 0u; }
fn knows_service() -> bool { return rule_here().speeds == 0u; }

fn changes_pace() {
    if (rule_here().speeds != 0u) { read_clock(); }
}

fn close_clock() {
    if (is_read) { plan_end(); }
    is_read = false;
}

fn last_by_clock() -> u32 {
    var last = first_of_clock();
    for (var token = last; token != NONE; token = links_of(token).behind) {
        if (token != last && is_last(token, last)) { last = token; }
    }
    return last;
}

fn join(token: u32, work: Time) {
    read_clock();
    let words = token_at(token);
    let weight = weight_of(guest.about & CLASS);
    var needed = Quad(wide(0u, wide_low(work)), wide(wide_high(work), 0u));
    if (weight != unit_of()) { needed = quad_divide_up(quad_product(needed, wide(unit_of(), 0u)).value, wide(weight, 0u)); }
    line_up(token, quad_add(quad_of(row_at(clock_row())), needed), guest.arrival);
    if (is_shared()) {
        set_row(words + 6u, row_at(clock_row() + 1u));
        change_sum(wide(weight, 0u));
    } else if ((guest.about & INTERRUPTED) == 0u) {
        set_row(words + 6u, vec4<u32>(0u));
    }
}

fn part(token: u32) -> Time {
    read_clock();
    let words = token_at(token);
    if (token == planned) {
        // Unless it is the event that happens now.
        if (numbers_of(token).place != hole) { _ = take_event(token); }
        planned = NONE;
    }
    leave_line(token);
    if (is_shared()) {
        change_sum(wide_sub(wide(0u, 0u), wide(weight_of(links_of(token).about & CLASS), 0u)));
    } else {
        set_front_wide(words + 6u, wide_add(front_wide(words + 6u), wide_sub(mine.now, service_of(token).start)));
    }
    let left = left_until(quad_of(row_at(clock_row())), end_of(token));
    return wide_add(wide(wide_high(left.low), wide_low(left.high)), wide(select(0u, 1u, wide_low(left.low) != 0u), 0u));
}

// Changes the sum of the weights in service, modulo 2^64.
fn change_sum(change: Wide) { set_back_wide(clock_row() + 3u, wide_add(back_wide(clock_row() + 3u), change)); }

fn longer_by(stay: Served) -> Time {
    let stayed = wide_sub(mine.now, stay.arrived);
    if (!is_shared() || mine.counted == 0u || wide_less(stayed, stay.service)) { return wide(0u, 0u); }
    return wide_sub(stayed, stay.service);
}

fn time_taken(token: u32, stay: Served) -> Time {
    if (has_clock() && !is_shared()) { return front_wide(token_at(token) + 6u); }
    let stayed = wide_sub(mine.now, stay.arrived);
    if (wide_less(stayed, stay.service)) { return stayed; }
    return stay.service;
}

// Where all share, in ticks with 32 bits below, by units of weights: the gain of the other clock since the token came.
fn work_of(account: u32, token: u32, stay: Served) -> Wide {
    if (!is_shared()) { return counted_since(stay.start); }
    let begin = quad_of(row_at(token_at(token) + 6u));
    let own = quad_sub(quad_of(row_at(clock_row() + 1u)), begin);
    let served = quad_product(own, wide(weight_of(links_of(token).about & CLASS), 0u)).value;
    add_shared(account, served.high, served.low);
    return served.low;
}
