// cells/numbers: the words of numbers in cells. A number has RULE_NUMBER_WORDS: one of 16 fraction bits, or two, the low one first.

import package::cells::cell::{output_word, set_output, set_state_word, state_word};
import package::cells::fixed::{Number, fixed_size, fixed_truth, fixed_unknown, is_unknown};
import package::cells::space::{NOWHERE, cell_id, neighbour_slot};
import faults::{raise};
import rule_file::{RULE_NUMBER_WORDS};
import word64::{wide, wide_high, wide_low};

const RULE_WORD: u32 = 0x2000u;

fn short_number(word: u32) -> Number {
    return select(wide(word << 16u, bitcast<u32>(bitcast<i32>(word) >> 16u)), fixed_unknown(), word == 0x80000000u);
}

fn short_word(a: Number) -> u32 {
    return select((wide_low(a) >> 16u) | (wide_high(a) << 16u), 0x80000000u, is_unknown(a));
}

fn state_number(cell: u32, word: u32) -> Number {
    if (RULE_NUMBER_WORDS == 1u) { return short_number(state_word(cell, word)); }
    return wide(state_word(cell, word), state_word(cell, word + 1u));
}

fn set_state_number(cell: u32, word: u32, value: Number) {
    if (RULE_NUMBER_WORDS == 1u) {
        set_state_word(cell, word, short_word(value));
    } else {
        set_state_word(cell, word, wide_low(value));
        set_state_word(cell, word + 1u, wide_high(value));
    }
}

// The n-th number that a neighbour sends; "?" where there is no cell.
fn neighbour_number(way: u32, n: u32) -> Number {
    let slot = neighbour_slot(select(way, 0u, way == NOWHERE));
    let unknown = (way == NOWHERE) | (slot == NOWHERE);
    let there = select(slot, 0u, unknown);
    var value = short_number(output_word(there, RULE_NUMBER_WORDS * n));
    if (RULE_NUMBER_WORDS > 1u) { value = wide(output_word(there, 2u * n), output_word(there, 2u * n + 1u)); }
    return select(value, fixed_unknown(), unknown);
}

// Moves numbers within a state: so many, from a word to another.
fn move_numbers(cell: u32, to: u32, source: u32, count: u32) {
    for (var word = 0u; word < RULE_NUMBER_WORDS * count; word += 1u) {
        set_state_word(cell, to + word, state_word(cell, source + word));
    }
}

// Sends a number of the state as the n-th.
fn send_number(cell: u32, n: u32, source: u32) {
    for (var word = 0u; word < RULE_NUMBER_WORDS; word += 1u) {
        set_output(cell, RULE_NUMBER_WORDS * n + word, state_word(cell, source + word));
    }
}

// A number for the cell to keep: one that its words cannot have sets the fault word.
fn rule_kept(a: Number) -> Number {
    if (RULE_NUMBER_WORDS > 1u) { return a; }
    let is_beyond = !is_unknown(a) & (wide_high(fixed_size(a)) > 0x7fffu);
    if (is_beyond) { raise(RULE_WORD, cell_id); }
    return select(a, fixed_truth(false), is_beyond);
}
