// cells/inputs_inertial: what comes into cells from outside the space, where a value waits for an inertial delay (choice
// `rule_inputs`). It is as cells/inputs; the words from RULE_DUE on have the time at which the value is due that waits.

import package::cells::cell::{now, set_state_word, state_word};
import package::lib::time::{Time};
import package::lib::wide::{wide_differs, wide_minimum};
import rule_file::{RULE_CURSOR, RULE_DUE, RULE_INPUT_WORDS};
import word64::{wide, wide_high, wide_low};

var<storage, read> rule_entries: array<u32>; // time, low word first; section; values of ports

var<private> rule_input: u32; // the words of what comes in now, 0 for nothing

fn input_section() -> u32 { return rule_entries[rule_input + 2u]; }
fn input_value(n: u32) -> i32 { return bitcast<i32>(rule_entries[rule_input + 3u + n]); }

fn input_at(cell: u32) -> u32 { return state_word(cell, RULE_CURSOR) * RULE_INPUT_WORDS; }
fn input_time(cell: u32) -> Time { return wide(rule_entries[input_at(cell)], rule_entries[input_at(cell) + 1u]); }

// Whether something comes in now: then it is the cell's next entry.
fn input_comes(cell: u32) -> bool {
    let comes = !wide_differs(input_time(cell), now);
    rule_input = select(0u, input_at(cell), comes);
    return comes;
}

fn input_due(cell: u32) -> Time { return wide(state_word(cell, RULE_DUE), state_word(cell, RULE_DUE + 1u)); }

fn input_next(cell: u32, due: Time) -> Time {
    if (rule_input != 0u) { set_state_word(cell, RULE_CURSOR, state_word(cell, RULE_CURSOR) + 1u); }
    set_state_word(cell, RULE_DUE, wide_low(due));
    set_state_word(cell, RULE_DUE + 1u, wide_high(due));
    return wide_minimum(due, input_time(cell));
}
