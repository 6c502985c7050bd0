// cells/arrival (part 2 of a round; a workgroup a group of blocks)
// What: calls the model's `cell_transition` for every cell of a busy block that is imminent or hears one that sends: each
//       gathers what its own neighbours have sent, so nothing collides.
// Reads: control, plans, fronts, cells. Writes: control, plans, fronts, cells, entries.
// Afterwards: no event of a block or group is before its least time; no block is busy; the round is finished.

import package::cells::cell::{
    FAULT_LOOKAHEAD, FAULT_PAST, HEARD_WORDS, MARK, SENDING, SENT_AT, elapsed, heard, now, planned, plans, time_of,
    word_of,
};
import package::cells::fronts::{block_place, busy_place, fronts, group_place, least_of, put_time};
import package::cells::groups::{block_of, blocks_of};
import package::cells::space::{BLOCK_CELLS, NOWHERE, cell_id, enter, neighbour_slot, space};
import package::lib::control::{control};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs, wide_minimum};
import cell_log::{begin_log, end_log, log_output};
import constants::{NEIGHBOURS, WORKGROUP};
import elapsed_time::{since_last};
import faults::{raise};
import model::{cell_transition};
import word64::{wide, wide_add, wide_less};
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

// Faults of this part are seen in the next round by all alike.
fn finish() {
    control.finished = control.round;
    control.worked = wide_add(control.worked, wide(atomicExchange(&control.working, 0u), 0u));
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

// The transition of this lane's cell among those of the listed blocks, counted; leaves the least times of blocks behind.
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

// Whether something happens to the cell, and when. All that it hears is sent at one time.
fn is_concerned(slot: u32) -> bool {
    var source = NOWHERE;
    for (var word = 0u; word < HEARD_WORDS; word += 1u) { heard[word] = 0u; }
    for (var n = 0u; n < NEIGHBOURS; n += 1u) {
        let other = neighbour_slot(n);
        let sends = other != NOWHERE && word_of(min(other, space.slots - 1u), MARK) == SENDING;
        heard[n / 32u] |= select(0u, 1u << (n % 32u), sends);
        source = select(source, other, sends);
    }
    let imminent = word_of(slot, MARK) != 0u;
    now = planned;
    if (!imminent && source != NOWHERE) { now = time_of(source, SENT_AT); }
    return imminent || source != NOWHERE;
}

fn change(slot: u32) {
    let imminent = word_of(slot, MARK) != 0u;
    elapsed = since_last(slot);
    let next = cell_transition(slot, imminent);
    if (wide_less(next, now)) { raise(FAULT_PAST, cell_id); }
    if (!imminent && wide_differs(next, planned) && wide_less(next, wide_add(now, control.lookahead))) {
        raise(FAULT_LOOKAHEAD, cell_id);
    }
    if (wide_differs(next, planned)) { plans[slot] = next; }
    planned = next;
}
