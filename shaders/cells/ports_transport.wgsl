// cells/ports_transport: values of a cell's ports wait for their delay whatever happens meanwhile. The state is the values
// of the ports, the stream of rules that draw, state variables, how many entries wait, and the entries in order of time: the
// time, low word first, a bit for each port that the entry sets, and a value for each port, 0 where the entry sets none.

import package::cells::cell::{now, set_state_word, state_word};
import package::cells::numbers::{move_numbers, send_number, set_state_number};
import package::cells::ports::{has_port, rule_changes, rule_given};
import package::cells::rules::{rule_heard, rule_time};
import package::cells::space::{cell_id};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs};
import faults::{raise};
import rule_file::{RULE_NUMBER_WORDS, RULE_PORTS, RULE_ROOM, RULE_WAITING, rule_choose};
import rule_inputs::{input_comes, input_next};
import word64::{wide, wide_high, wide_less, wide_low};

const RULE_FULL: u32 = 0x1000u;
const RULE_ENTRY: u32 = 3u + RULE_NUMBER_WORDS * RULE_PORTS;

fn waiting_at(n: u32) -> u32 { return RULE_WAITING + 1u + RULE_ENTRY * n; }

fn waiting_time(cell: u32, n: u32) -> Time {
    return wide(state_word(cell, waiting_at(n)), state_word(cell, waiting_at(n) + 1u));
}

// The value of a port in an entry.
fn waiting_value(n: u32, port: u32) -> u32 { return waiting_at(n) + 3u + RULE_NUMBER_WORDS * port; }

fn waiting_sets(cell: u32, n: u32) -> u32 { return state_word(cell, waiting_at(n) + 2u); }

// Moves an entry to another place.
fn waiting_move(cell: u32, source: u32, target_place: u32) {
    for (var word = 0u; word < RULE_ENTRY; word += 1u) {
        set_state_word(cell, waiting_at(target_place) + word, state_word(cell, waiting_at(source) + word));
    }
}

// Removes the first entry, which is sent.
fn waiting_take(cell: u32) {
    let sets = waiting_sets(cell, 0u);
    for (var port = 0u; port < RULE_PORTS; port += 1u) {
        if (has_port(sets, port)) { move_numbers(cell, RULE_NUMBER_WORDS * port, waiting_value(0u, port), 1u); }
    }
    let count = state_word(cell, RULE_WAITING) - 1u;
    for (var n = 0u; n < count; n += 1u) { waiting_move(cell, n + 1u, n); }
    set_state_word(cell, RULE_WAITING, count);
}

// Makes an entry of a time that sets no port, behind the earlier entries.
fn waiting_insert(cell: u32, place: u32, time: Time) {
    let count = state_word(cell, RULE_WAITING);
    for (var n = count; n > place; n -= 1u) { waiting_move(cell, n - 1u, n); }
    set_state_word(cell, RULE_WAITING, count + 1u);
    set_state_word(cell, waiting_at(place), wide_low(time));
    set_state_word(cell, waiting_at(place) + 1u, wide_high(time));
    for (var word = 2u; word < RULE_ENTRY; word += 1u) { set_state_word(cell, waiting_at(place) + word, 0u); }
}

// Puts these ports of the rule behind values of the same time and earlier. Of values of one port and time only the last
// is kept.
fn waiting_put(cell: u32, time: Time, sets: u32) {
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
        waiting_insert(cell, place, time);
    }
    for (var port = 0u; port < RULE_PORTS; port += 1u) {
        if (has_port(sets, port)) {
            set_state_number(cell, waiting_value(place, port), rule_given[port]);
        }
    }
    set_state_word(cell, waiting_at(place) + 2u, waiting_sets(cell, place) | sets);
}

// When the first waiting entry is sent.
fn waiting_first(cell: u32) -> Time {
    if (state_word(cell, RULE_WAITING) == 0u) { return never(); }
    return waiting_time(cell, 0u);
}

fn cell_output(cell: u32) -> bool {
    if (wide_differs(waiting_first(cell), now)) { return false; }
    let sets = waiting_sets(cell, 0u);
    for (var port = 0u; port < RULE_PORTS; port += 1u) {
        send_number(cell, port, select(RULE_NUMBER_WORDS * port, waiting_value(0u, port), has_port(sets, port)));
    }
    return true;
}

fn cell_transition(cell: u32, imminent: bool) -> Time {
    let sends = imminent && !wide_differs(waiting_first(cell), now);
    if (sends) { waiting_take(cell); }
    if (input_comes(cell) || rule_heard(sends)) {
        if (rule_choose(cell)) {
            let time = rule_time();
            let changes = rule_changes(cell, 0u);
            if (changes != 0u && wide_differs(time, never())) { waiting_put(cell, time, changes); }
        }
    }
    return input_next(cell, waiting_first(cell));
}
