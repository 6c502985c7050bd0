// multiclass/leave: a token leaves the network by a sink. Of each sink and class: tokens, and those from sources; the sum of the
// times that those spent in the network, 64 bits and what is above.
// Reads and writes: held.

import package::lib::time::{never};
import package::lib::wide::{wide_differs};
import package::multiclass::accounts::{count_two};
import package::multiclass::parameters::{NONE, parameters};
import package::multiclass::state::{back_wide, came, front_wide, mine, record_at, set_back_wide, set_front_wide};
import package::multiclass::tokens::{free_token, token_at};
import word64::{wide, wide_add, wide_less, wide_sub};

const SINK_WORDS: u32 = 4u;

fn leave(token: u32, sink: u32, class_of: u32) {
    let words = record_at(parameters.sinks_at, sink * parameters.classes + class_of, SINK_WORDS / 2u);
    let entered = back_wide(token_at(token) + 1u);
    if (mine.counted == 1u) {
        let from_source = wide_differs(entered, never());
        count_two(words, 0u, 1u, select(0u, 1u, from_source));
        if (from_source) {
            let before = back_wide(words);
            let sum = wide_add(before, wide_sub(mine.now, entered));
            set_back_wide(words, sum);
            if (wide_less(sum, before)) { set_front_wide(words + 1u, wide_add(front_wide(words + 1u), wide(1u, 0u))); }
        }
    }
    free_token(token);
    came(NONE);
}
