// processes/round: the bound of a round: the lookahead behind the earliest event of all (YAWNS, Nicol 1993). Every
// workgroup computes the same bound from the same words, which do not change while processes execute. A fault that a
// process raises stops the next round, by `halted`.
// Reads: control, summaries. Writes: control (first workgroup).

import package::lib::control::{control};
import package::lib::summaries::{summaries};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_minimum};
import constants::{WORKGROUP};
import word64::{wide, wide_add, wide_less};
import workgroup::{workgroup_minimum};

// The earliest event of all, the same in every lane of every workgroup.
fn earliest_event(lane: u32) -> Time {
    let blocks = control.blocks;
    var earliest = never();
    for (var i = lane; i < blocks; i += WORKGROUP) { earliest = wide_minimum(earliest, summaries[i]); }
    return workgroup_minimum(lane, earliest);
}

// Whether a fault or a full set of pending events has stopped the run.
fn hindered() -> bool { return control.halted != 0u || atomicLoad(&control.room) != 0u; }

// Every event before the bound may happen in this round, and no event that it creates lies there; 0 stops the run.
fn round_bound(earliest: Time, is_hindered: bool) -> Time {
    if (!wide_less(earliest, control.limit) || is_hindered) { return wide(0u, 0u); }
    return wide_minimum(wide_add(earliest, control.lookahead), control.limit);
}

fn write_down(earliest: Time, bound: Time, is_hindered: bool) {
    let running = wide_less(wide(0u, 0u), bound);
    control.minimum = earliest;
    control.running = select(0u, 1u, running);
    if (running) {
        control.bound = bound;
        control.round = control.finished + 1u;
    } else if (!is_hindered) {
        control.bound = control.limit;
    }
}
