// cells/draws: random numbers of rules, the twin of src/cdpp/draws.rs. The state of a cell's stream is its words
// from RULE_STREAM on.

import package::cells::fixed::{
    Number, fixed_less, fixed_negative, fixed_round, fixed_truth, fixed_unknown, is_unknown,
};
import package::cells::stream::{keep_stream, stream_from};
import package::lib::pcg32::{Stream, draw};
import package::lib::wide::{wide_scale};
import rule_file::{RULE_STREAM};
import word64::{Wide, wide, wide_add, wide_high, wide_low, wide_sub};

var<private> rule_stream: Stream;

fn rule_resume(cell: u32) { rule_stream = stream_from(cell, RULE_STREAM); }
fn rule_keep(cell: u32) { keep_stream(cell, RULE_STREAM, rule_stream); }

fn rule_draw() -> u32 {
    var stream = rule_stream;
    let bits = draw(&stream);
    rule_stream = stream;
    return bits;
}

fn draw_random() -> Number { return wide(rule_draw(), 0u); }

// Whether something happens that has this chance: seldom only a second draw decides.
fn draw_happens(chance: Wide) -> Number {
    let first = rule_draw();
    var happens = first < wide_high(chance);
    if (first == wide_high(chance)) { happens = rule_draw() < wide_low(chance); }
    return fixed_truth(happens);
}

fn draw_sign() -> Number { return wide(0u, select(1u, 0xffffffffu, (rule_draw() >> 31u) != 0u)); }

fn draw_integer(most: Number) -> Number {
    if (fixed_negative(most)) { return fixed_unknown(); }
    return fixed_round(wide_scale(wide(rule_draw(), 0u), most));
}

fn draw_uniform(low: Number, high: Number) -> Number {
    if (is_unknown(low) || fixed_less(high, low)) { return fixed_unknown(); }
    return wide_add(low, wide_scale(wide(rule_draw(), 0u), wide_sub(high, low)));
}
