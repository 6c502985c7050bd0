// engine/arrivals (step 5 of a round; a workgroup for each extra group, then one for each block)
// What: calls the model's `arrive(slot)` for every slot that departure filled, and its `arrive_together(extra, lane)`, in
//       uniform control flow, for work of a whole workgroup. In a round without work `arrive_together` must do nothing.
// Reads: control, summaries.
// Writes: control (first block), the summaries of the block or extra group, and what the model writes.
// Afterwards: the round is finished; no event that was scheduled here lies before the minimum of its block or group.

import package::engine::schedule::{scheduled};
import package::lib::control::{control};
import package::lib::summaries::{BLOCK, arrival_place, count_place, extra_place, summaries};
import package::lib::time::{never};
import arrivals::{arrive};
import constants::{WORKGROUP};
import group_arrivals::{arrive_together, extra_groups};
import word64::{wide, wide_add, wide_low};
import workgroup::{workgroup_minimum};

fn run(group: u32, lane: u32) {
    if (group < extra_groups()) {
        run_extra(group, lane);
    } else {
        run_block(group - extra_groups(), lane);
    }
}

fn run_extra(extra: u32, lane: u32) {
    scheduled = never();
    arrive_together(extra, lane);
    let least = workgroup_minimum(lane, scheduled);
    if (lane == 0u && control.running != 0u) { summaries[extra_place() + extra] = least; }
}

fn run_block(block: u32, lane: u32) {
    let running = control.running != 0u;
    var count = 0u;
    if (running && block < control.blocks) { count = wide_low(summaries[count_place() + block]); }
    scheduled = never();
    for (var place = lane; place < count; place += WORKGROUP) { arrive(block * BLOCK + place); }
    let least = workgroup_minimum(lane, scheduled);
    if (lane != 0u || !running || block >= control.blocks) { return; }
    summaries[arrival_place() + block] = least;
    if (block == 0u) { finish(); }
}

fn finish() {
    control.finished = control.round;
    control.events = wide_add(control.events, wide(atomicLoad(&control.selected), 0u));
    atomicStore(&control.selected, 0u);
}
