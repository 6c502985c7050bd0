// multiclass/routes/leave: a token leaves the network by a sink. A sink has for each class two rows: how many tokens have left, how many of
// them were from sources, and the sum of the latter's times in the network; then how often that sum has passed 64 bits.
// Reads and writes: replication_state.

import constants::{HAS_CARRIES};
import package::lib::faults::{raise};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::places::{free_token};
import package::multiclass::rows::{either_record_at, row_at, set_front_wide, set_row};
import package::multiclass::state::{came, mine};
import package::multiclass::stations::station::{FAULT_COUNT, site};
import histograms::{sees_stay};
import word64::{Wide, wide, wide_add, wide_high, wide_less, wide_low, wide_sub};

// Of a class at a sink: tokens that have left, tokens from sources among them, and the sum of the latter's times in the network.
struct Sink {
    tokens: u32,
    from_sources: u32,
    sojourn: Wide,
}

fn sink_at(words: u32) -> Sink {
    let row = row_at(words);
    return Sink(row.x, row.y, wide(row.z, row.w));
}

// How often that sum has passed 64 bits.
struct SinkCarries { times: Wide }

fn sink_carries(words: u32) -> Wide {
    let row = row_at(words + 1u);
    return SinkCarries(wide(row.x, row.y)).times;
}

fn leave(token: u32, sink: u32, class_of: u32, entered: Time) {
    let words = either_record_at(plan.near_sinks, plan.sinks_at, sink * plan.classes + class_of, 2u);
    if (mine.counted == 1u) {
        let stay = wide_sub(mine.now, entered);
        let from_source = wide_differs(entered, never());
        let before = sink_at(words);
        let tokens = before.tokens + 1u;
        if (tokens == 0u) { raise(FAULT_COUNT, site.id); }
        var sum = before.sojourn;
        if (from_source) {
            sum = wide_add(sum, stay);
            sees_stay(sink, class_of, stay);
        }
        set_row(words, vec4<u32>(tokens, before.from_sources + select(0u, 1u, from_source), wide_low(sum), wide_high(sum)));
        if (HAS_CARRIES && wide_less(sum, before.sojourn)) { set_front_wide(words + 1u, wide_add(sink_carries(words), wide(1u, 0u))); }
    }
    free_token(token);
    came(NONE, class_of);
}
