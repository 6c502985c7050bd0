// cells/delay_transport: values of a cell wait for their delay whatever happens meanwhile. The state is the cell's
// value, the stream of rules that draw, how many values wait, and for each waiting value, in order of time,
// its time, low word first, and the value.

import package::cells::cell::{now, set_state_word, state_word};
import package::cells::numbers::{move_numbers, send_number, set_state_number};
import package::cells::rules::{rule_heard, rule_own, rule_time, rule_value};
import package::cells::space::{cell_id};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs};
import faults::{raise};
import rule_file::{RULE_NUMBER_WORDS, RULE_ROOM, RULE_WAITING, rule_choose};
import rule_inputs::{input_comes, input_next};
import word64::{wide, wide_high, wide_less, wide_low};

const RULE_FULL: u32 = 0x1000u;

const RULE_ENTRY: u32 = 2u + RULE_NUMBER_WORDS;

fn waiting_at(n: u32) -> u32 { return RULE_WAITING + 1u + RULE_ENTRY * n; }

fn waiting_time(cell: u32, n: u32) -> Time {
    return wide(state_word(cell, waiting_at(n)), state_word(cell, waiting_at(n) + 1u));
}

// Moves a waiting value to another place.
fn waiting_move(cell: u32, source: u32, target_place: u32) {
    for (var word = 0u; word < RULE_ENTRY; word += 1u) {
        set_state_word(cell, waiting_at(target_place) + word, state_word(cell, waiting_at(source) + word));
    }
}

// Removes the first value, which is sent.
fn waiting_take(cell: u32) {
    move_numbers(cell, 0u, waiting_at(0u) + 2u, 1u);
    let count = state_word(cell, RULE_WAITING) - 1u;
    for (var n = 0u; n < count; n += 1u) { waiting_move(cell, n + 1u, n); }
    set_state_word(cell, RULE_WAITING, count);
}

// Puts the value of the rule behind values of the same time and earlier. Of values of one time only the last is kept.
fn waiting_put(cell: u32, time: Time) {
    let count = state_word(cell, RULE_WAITING);
    var place = count;
    while (place > 0u && wide_less(time, waiting_time(cell, place - 1u))) { place -= 1u; }
    let same = place > 0u && !wide_differs(time, waiting_time(cell, max(place, 1u) - 1u));
    if (same) {
        place -= 1u;
    } else {
        if (count == RULE_ROOM) {
            raise(RULE_FULL, cell_id);
            return;
        }
        for (var n = count; n > place; n -= 1u) { waiting_move(cell, n - 1u, n); }
        set_state_word(cell, RULE_WAITING, count + 1u);
        set_state_word(cell, waiting_at(place), wide_low(time));
        set_state_word(cell, waiting_at(place) + 1u, wide_high(time));
    }
    set_state_number(cell, waiting_at(place) + 2u, rule_value);
}

// When the first waiting value is sent.
fn waiting_first(cell: u32) -> Time {
    if (state_word(cell, RULE_WAITING) == 0u) { return never(); }
    return waiting_time(cell, 0u);
}

fn cell_output(cell: u32) -> bool {
    if (wide_differs(waiting_first(cell), now)) { return false; }
    send_number(cell, 0u, waiting_at(0u) + 2u);
    return true;
}

fn cell_transition(cell: u32, imminent: bool) -> Time {
    let sends = imminent && !wide_differs(waiting_first(cell), now);
    if (sends) { waiting_take(cell); }
    if (input_comes(cell) || rule_heard(sends)) {
        if (rule_choose(cell)) {
            let time = rule_time();
            if (wide_differs(rule_value, rule_own) && wide_differs(time, never())) { waiting_put(cell, time); }
        }
    }
    return input_next(cell, waiting_first(cell));
}
