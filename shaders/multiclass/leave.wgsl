// multiclass/leave: a token leaves the network by a sink. Of each sink and class: tokens, and those from sources; the sum of the
// times that those spent in the network, 64 bits and what is above.
// Reads and writes: held.

import package::lib::time::{never};
import package::lib::wide::{wide_differs};
import package::multiclass::accounts::{count_two};
import package::multiclass::parameters::{NONE, parameters};
import package::multiclass::state::{came, mine, set_wide, wide_at};
import package::multiclass::tokens::{free_token, token_at};
import word64::{wide, wide_add, wide_less, wide_sub};

const SINK_WORDS: u32 = 4u;

fn leave(token: u32, sink: u32, class_of: u32) {
    let words = parameters.sinks_at + (sink * parameters.classes + class_of) * SINK_WORDS;
    let entered = wide_at(token_at(token) + 3u);
    if (mine.counted == 1u) {
        let from_source = wide_differs(entered, never());
        count_two(words, 1u, select(0u, 1u, from_source));
        if (from_source) {
            let before = wide_at(words + 1u);
            let sum = wide_add(before, wide_sub(mine.now, entered));
            set_wide(words + 1u, sum);
            if (wide_less(sum, before)) { set_wide(words + 2u, wide_add(wide_at(words + 2u), wide(1u, 0u))); }
        }
    }
    free_token(token);
    came(NONE);
}
