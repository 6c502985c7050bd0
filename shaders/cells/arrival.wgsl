// cells/arrival (part 2 of a round; a workgroup a group of blocks)
// What: calls the model's `cell_transition` for every cell of a busy block that is imminent or hears a sending cell: each
//       cell gathers what its own neighbours have sent, so no two cells write the same word.
// Reads: control, plans, fronts, cells. Writes: control, plans, fronts, cells, entries.
// Afterwards: no event of a block or group is before its least time; no block is busy; the round is finished.

import package::cells::cell::{MARK, SENDING, planned, plans, word_of};
import package::cells::fronts::{block_place, busy_place, fronts, group_place, least_of, put_time};
import package::cells::groups::{block_of, blocks_of};
import package::cells::space::{BLOCK_CELLS, enter};
import package::cells::transition::{change, is_concerned};
import package::lib::control::{control};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_minimum};
import cell_log::{begin_log, end_log, log_output};
import constants::{WORKGROUP};
import word64::{wide, wide_add};
import workgroup::{workgroup_prefix, workgroup_sum};

var<workgroup> list: array<u32, WORKGROUP>; // busy blocks
var<workgroup> leasts: array<Time, WORKGROUP>;

fn run(group: u32, lane: u32) {
    var transitions = 0u;
    var busy = 0u;
    begin_log(group);
    let count = blocks_of(group);
    for (var begin = 0u; begin < count; begin += WORKGROUP) {
        let listed = list_busy(group, lane, begin, count);
        for (var cell = 0u; cell < listed * BLOCK_CELLS; cell += WORKGROUP) {
            transitions += settle(group, cell + lane, lane, listed);
        }
        busy += listed;
        workgroupBarrier();
    }
    let sum = workgroup_sum(lane, transitions);
    end_log(group, lane);
    storageBarrier();
    // Without a busy block nothing has changed.
    if (busy > 0u) {
        let least = least_of(group, lane);
        if (lane == 0u) {
            put_time(group_place(group), least);
            atomicAdd(&control.selected, sum);
        }
    }
    if (group == 0u && lane == 0u && control.running != 0u) { finish(); }
}

// All workgroups see faults of this part in the next round alike.
fn finish() {
    control.finished = control.round;
    let imminent = atomicExchange(&control.model.selected, 0u);
    control.model.imminent = wide_add(control.model.imminent, wide(imminent, 0u));
    control.halted = atomicLoad(&control.fault);
}

fn list_busy(group: u32, lane: u32, begin: u32, count: u32) -> u32 {
    var block = 0u;
    var wanted = 0u;
    if (begin + lane < count) {
        block = block_of(group, begin + lane);
        if (atomicLoad(&fronts[busy_place(block)]) != 0u) {
            wanted = 1u;
            atomicStore(&fronts[busy_place(block)], 0u);
        }
    }
    var listed = 0u;
    let rank = workgroup_prefix(lane, wanted, &listed);
    if (wanted != 0u) { list[rank] = block; }
    workgroupBarrier();
    return listed;
}

// Makes the transition of this lane's cell among the cells of the listed blocks, counts it, and leaves the blocks' least
// times.
fn settle(group: u32, cell: u32, lane: u32, listed: u32) -> u32 {
    var transitions = 0u;
    var slot = 0u;
    var there = false;
    leasts[lane] = never();
    if (cell < listed * BLOCK_CELLS) {
        slot = list[cell / BLOCK_CELLS] * BLOCK_CELLS + cell % BLOCK_CELLS;
        there = enter(slot);
    }
    log_output(group, lane, slot, there && word_of(slot, MARK) == SENDING);
    if (there) {
        planned = plans[slot];
        if (is_concerned(slot)) {
            transitions = 1u;
            change(slot);
        }
        leasts[lane] = planned;
    }
    workgroupBarrier();
    for (var stride = BLOCK_CELLS / 2u; stride > 0u; stride /= 2u) {
        if (lane % BLOCK_CELLS < stride) { leasts[lane] = wide_minimum(leasts[lane], leasts[lane + stride]); }
        workgroupBarrier();
    }
    if (lane % BLOCK_CELLS == 0u && cell < listed * BLOCK_CELLS) {
        put_time(block_place(list[cell / BLOCK_CELLS]), leasts[lane]);
    }
    return transitions;
}
