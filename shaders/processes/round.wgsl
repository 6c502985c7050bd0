// processes/round: how far a round goes: to the lookahead behind the earliest event of all (YAWNS, Nicol 1993).
// Every workgroup decides for itself, from the same words and to the same end: none of them changes while processes
// execute. A fault that one of them raises stops the next round, by `halted`.
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

// Something has stopped the run: a fault or a set of pending events that is full.
fn hindered() -> bool { return control.halted != 0u || atomicLoad(&control.room) != 0u; }

// Every event before it may happen in this round, and none that it creates lies there; 0 stops the run.
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
