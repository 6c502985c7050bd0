// queueing/heap: times in annex, each no later than its two children; the earliest comes first (Williams 1964).

import package::lib::time::{Time};
import package::queueing::places::{annex_wide, set_annex};
import word64::{wide_less};

// Replaces the earliest time of a heap by a later one.
fn replace_first(first: u32, count: u32, time: Time) {
    var at = 0u;
    loop {
        var child = 2u * at + 1u;
        if (child >= count) { break; }
        var least = annex_wide(first + child);
        if (child + 1u < count) {
            let other = annex_wide(first + child + 1u);
            if (wide_less(other, least)) {
                child += 1u;
                least = other;
            }
        }
        if (!wide_less(least, time)) { break; }
        set_annex(first + at, least);
        at = child;
    }
    set_annex(first + at, time);
}
