// cells/bound: how far a round goes, and its beginning.
// Reads: control, fronts. Writes: control.

import package::cells::cell::{unhindered};
import package::cells::fronts::{group_place, time_in};
import package::cells::space::{space};
import package::lib::control::{control};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_maximum, wide_minimum};
import constants::{WORKGROUP};
import word64::{wide, wide_add, wide_less};
import workgroup::{workgroup_minimum};

// The round executes events before this time only; 0 where the replication is at its end.
fn bound_behind(earliest: Time) -> Time {
    if (!unhindered() || !wide_less(earliest, control.limit)) { return wide(0u, 0u); }
    return wide_minimum(wide_add(earliest, wide_maximum(wide(space.furthest.x, space.furthest.y), wide(1u, 0u))), control.limit);
}

// Takes in the counts of the last round, and says whether another round begins.
fn begin_round(lane: u32, groups: u32) {
    var least = never();
    for (var i = lane; i < groups; i += WORKGROUP) { least = wide_minimum(least, time_in(group_place(i))); }
    let earliest = workgroup_minimum(lane, least);
    if (lane != 0u) { return; }
    let bound = bound_behind(earliest);
    let running = wide_less(earliest, bound);
    control.events = wide_add(control.events, wide(atomicExchange(&control.selected, 0u), 0u));
    control.running = select(0u, 1u, running);
    if (running) {
        control.minimum = earliest;
        control.bound = bound;
        control.round = control.finished + 1u;
    } else if (unhindered()) {
        control.bound = control.limit;
    }
}
