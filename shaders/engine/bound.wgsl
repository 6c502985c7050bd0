// engine/bound (step 2): the bound of this round.
// Every workgroup computes the same bound from the same words; the first workgroup writes it down.

import package::lib::control::{control};
import package::lib::time::{Time};
import package::lib::wide::{wide_minimum};
import word64::{wide, wide_add, wide_less};

// Every event in [earliest, bound) may happen in this round, and no event that it creates lies below the bound. A bound
// of 0 stops the run: the limit is reached, or a fault is set.
fn round_bound(earliest: Time) -> Time {
    if (!wide_less(earliest, control.limit) || atomicLoad(&control.fault) != 0u) { return wide(0u, 0u); }
    return wide_minimum(wide_add(earliest, control.lookahead), control.limit);
}

fn write_down(earliest: Time, bound: Time) {
    let running = wide_less(wide(0u, 0u), bound);
    control.minimum = earliest;
    control.running = select(0u, 1u, running);
    if (running) {
        control.bound = bound;
        control.round = control.finished + 1u;
    } else if (atomicLoad(&control.fault) == 0u) {
        control.bound = control.limit;
    }
}
