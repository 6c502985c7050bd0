// multiclass/routes/leave: a token leaves the network by a sink. Of each sink and class: tokens, and those from sources; the sum of the
// times that those spent in the network, 64 bits and what is above.
// Reads and writes: held.

import package::lib::faults::{raise};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::state::{came, front_wide, mine, record_at, row_at, set_front_wide, set_row};
import package::multiclass::stations::station::{FAULT_COUNT, site};
import package::multiclass::tokens::{free_token};
import seen::{sees_stay};
import word64::{wide, wide_add, wide_high, wide_less, wide_low, wide_sub};

const SINK_WORDS: u32 = 4u;

fn leave(token: u32, sink: u32, class_of: u32, entered: Time) {
    let words = record_at(plan.sinks_at, sink * plan.classes + class_of, SINK_WORDS / 2u);
    if (mine.counted == 1u) {
        let stay = wide_sub(mine.now, entered);
        let from_source = wide_differs(entered, never());
        let row = row_at(words);
        let counts = row.xy + vec2<u32>(1u, select(0u, 1u, from_source));
        if (counts.x == 0u) { raise(FAULT_COUNT, site.id); }
        let before = wide(row.z, row.w);
        var sum = before;
        if (from_source) {
            sum = wide_add(before, stay);
            sees_stay(sink, class_of, stay);
        }
        set_row(words, vec4<u32>(counts, wide_low(sum), wide_high(sum)));
        if (wide_less(sum, before)) { set_front_wide(words + 1u, wide_add(front_wide(words + 1u), wide(1u, 0u))); }
    }
    free_token(token);
    came(NONE, class_of);
}
