// cells/draws: random numbers of rules, the twin of src/cdpp/draws.rs. The state of a cell's stream is its words
// from RULE_STREAM on; a replication has a key.

import package::cells::cell::{set_state_word, state_word};
import package::cells::fixed::{ONE, UNDEFINED, fixed_round};
import package::cells::space::{cell_id, replication};
import package::lib::pcg32::{Stream, draw};
import package::lib::stream::{entity_increment};
import package::lib::wide::{multiply_high};
import rule_file::{RULE_STREAM};
import word64::{wide, wide_high, wide_low};

var<storage, read> rule_keys: array<u32>;

var<private> rule_stream: Stream;

fn rule_resume(cell: u32) {
    let key = wide(rule_keys[2u * replication], rule_keys[2u * replication + 1u]);
    let state = wide(state_word(cell, RULE_STREAM), state_word(cell, RULE_STREAM + 1u));
    rule_stream = Stream(state, entity_increment(key, cell_id));
}

fn rule_keep(cell: u32) {
    set_state_word(cell, RULE_STREAM, wide_low(rule_stream.state));
    set_state_word(cell, RULE_STREAM + 1u, wide_high(rule_stream.state));
}

fn rule_draw() -> u32 {
    var stream = rule_stream;
    let bits = draw(&stream);
    rule_stream = stream;
    return bits;
}

fn draw_random() -> i32 { return i32(rule_draw() >> 16u); }

fn draw_sign() -> i32 { return select(ONE, -ONE, (rule_draw() >> 31u) != 0u); }

fn draw_integer(most: i32) -> i32 {
    if (most < 0) { return UNDEFINED; }
    return fixed_round(i32(multiply_high(rule_draw(), u32(most))));
}

fn draw_uniform(low: i32, high: i32) -> i32 {
    if (low == UNDEFINED || high < low) { return UNDEFINED; }
    let width = bitcast<u32>(high) - bitcast<u32>(low);
    return bitcast<i32>(bitcast<u32>(low) + multiply_high(rule_draw(), width));
}
