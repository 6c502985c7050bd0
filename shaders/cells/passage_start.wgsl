// cells/passage_start (once, after cells/passage_clear; one thread a cell that has its event by itself)
// Reads: starts. Writes: plans, flags, control. Afterwards: these cells have their times, and blocks are flagged for the
// first round, which is odd.

import package::cells::cell::{plans};
import package::cells::passage::{flag, flag_hearers, set_pending, urgency};
import package::cells::space::{BLOCK_CELLS, enter, space};
import constants::{WORKGROUP};
import word64::{wide};

var<storage, read> starts: array<vec4<u32>>; // slot, time (two words), 0

fn run(group: u32, lane: u32) {
    let number = group * WORKGROUP + lane;
    if (number >= space.differences) { return; }
    let start = starts[number];
    plans[start.x] = wide(start.y, start.z);
    _ = enter(start.x);
    let block = start.x / BLOCK_CELLS;
    let urgent = urgency(plans[start.x]);
    flag(1u, block, urgent);
    flag_hearers(1u, block, urgent);
    set_pending(1u, 1u);
}
