// cells/entries: the numbers that come into cells from outside the space, in the order of cells and then of times. A cell keeps the
// number of its next entry in the word RULE_CURSOR of its state. The last entry of each cell is at no time. So is entry 0, to which
// cells without entries point.

import package::cells::cell::{now, set_state_word, state_word};
import package::cells::fixed::{Number};
import package::cells::numbers::{short_number};
import package::lib::time::{Time};
import package::lib::wide::{wide_differs};
import rule_file::{RULE_CURSOR, RULE_INPUT_WORDS, RULE_NUMBER_WORDS};
import word64::{wide};

var<storage, read> rule_entries: array<u32>; // time, low word first; section; values of ports

var<private> rule_input: u32; // the place of the entry that comes in now, 0 for none

fn input_section() -> u32 { return rule_entries[rule_input + 2u]; }

fn input_value(n: u32) -> Number {
    let at = rule_input + 3u + RULE_NUMBER_WORDS * n;
    if (RULE_NUMBER_WORDS == 1u) { return short_number(rule_entries[at]); }
    return wide(rule_entries[at], rule_entries[at + 1u]);
}


fn entry_at(cell: u32) -> u32 { return state_word(cell, RULE_CURSOR) * RULE_INPUT_WORDS; }
fn entry_time(cell: u32) -> Time { return wide(rule_entries[entry_at(cell)], rule_entries[entry_at(cell) + 1u]); }

// Whether the cell's next entry comes in now; then `rule_input` is its place.
fn entry_comes(cell: u32) -> bool {
    let comes = !wide_differs(entry_time(cell), now);
    rule_input = select(0u, entry_at(cell), comes);
    return comes;
}

// Moves the cell's cursor behind the entry that has come in.
fn entry_taken(cell: u32) {
    if (rule_input != 0u) { set_state_word(cell, RULE_CURSOR, state_word(cell, RULE_CURSOR) + 1u); }
}
