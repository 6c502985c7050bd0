// cells/departure (part 1 of a round; a workgroup a group of blocks)
// What: finds the earliest event of the replication, and calls the model's `cell_output` for every imminent cell: a cell
//       whose event is the earliest of all, or that no event can forestall (cells/meet).
// Reads: control, plans, fronts, cells. Writes: control (first group), fronts, cells.
// Afterwards: imminent and sending cells are marked, no other cell is; blocks with an imminent cell, or with a cell that
//             hears one, are busy. A round without work changes no cell.

import package::cells::bound::{begin_round, bound_behind};
import package::cells::cell::{IMMINENT, MARK, SENDING, SENT_AT, now, planned, plans, put_time_of, put_word};
import package::cells::fronts::{
    block_place, bound_place, busy_place, fronts, group_place, marked_place, put_time, time_in,
};
import package::cells::groups::{block_of, blocks_of, groups_in_all};
import package::cells::meet::{nothing_forestalls, wake, within};
import package::cells::space::{BLOCK_CELLS, enter, space};
import package::lib::control::{control};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_minimum};
import constants::{WORKGROUP};
import lookaheads::{furthest_in, furthest_of};
import model::{cell_output};
import word64::{wide_less};
import workgroup::{workgroup_minimum, workgroup_prefix, workgroup_sum};

const DUE: u32 = 0x80000000u;
const LEFT: u32 = 0x40000000u;
const BLOCK_NUMBER: u32 = 0x3fffffffu;
var<workgroup> list: array<u32, WORKGROUP>; // blocks to look at; whether an event is due there, whether marks are left

fn run(group: u32, lane: u32) {
    let groups = groups_in_all();
    let own = group / space.groups;
    var least = never();
    if (group < groups) {
        // Every lane takes the same number of turns: compilers must see that all lanes meet at barriers.
        for (var begin = 0u; begin < space.groups; begin += WORKGROUP) {
            let i = begin + lane;
            if (i < space.groups) { least = wide_minimum(least, time_in(group_place(own * space.groups + i))); }
        }
    }
    let earliest = workgroup_minimum(lane, least);
    let bound = bound_behind(earliest);
    if (group == 0u) { begin_round(lane, groups); }
    if (group == own * space.groups && group < groups && lane == 0u && wide_less(earliest, bound)) {
        put_time(bound_place(own), bound);
    }
    var imminent = 0u;
    let count = blocks_of(group);
    for (var begin = 0u; begin < count; begin += WORKGROUP) {
        let listed = list_blocks(group, lane, begin, count, earliest, bound);
        for (var cell = 0u; cell < listed * BLOCK_CELLS; cell += WORKGROUP) {
            imminent += look_at(cell + lane, lane, listed, earliest, bound);
        }
        workgroupBarrier();
    }
    let sum = workgroup_sum(lane, imminent);
    if (lane == 0u) { atomicAdd(&control.model.selected, sum); }
}

// Lists the blocks of the next lanes that are due or have marks of the last round; returns their number.
fn list_blocks(group: u32, lane: u32, begin: u32, count: u32, earliest: Time, bound: Time) -> u32 {
    var entry = 0u;
    if (begin + lane < count) {
        let block = block_of(group, begin + lane);
        entry = block;
        let time = time_in(block_place(block));
        if (wide_less(time, bound) && within(time, earliest, furthest_in(block % space.blocks))) { entry |= DUE; }
        if (atomicLoad(&fronts[marked_place(block)]) != 0u) {
            entry |= LEFT;
            atomicStore(&fronts[marked_place(block)], 0u);
        }
    }
    let wanted = (entry & (DUE | LEFT)) != 0u;
    var listed = 0u;
    let rank = workgroup_prefix(lane, select(0u, 1u, wanted), &listed);
    if (wanted) { list[rank] = entry; }
    storageBarrier();
    workgroupBarrier();
    return listed;
}

// Looks at this lane's cell among the cells of the listed blocks; returns 1 if the cell is imminent, else 0.
fn look_at(cell: u32, lane: u32, listed: u32, earliest: Time, bound: Time) -> u32 {
    var entry = 0u;
    var slot = 0u;
    var time = never();
    if (cell < listed * BLOCK_CELLS) {
        entry = list[cell / BLOCK_CELLS];
        slot = (entry & BLOCK_NUMBER) * BLOCK_CELLS + cell % BLOCK_CELLS;
        if ((entry & DUE) != 0u) { time = plans[slot]; }
    }
    let due = wide_less(time, bound);
    let first = due && !wide_less(earliest, time);
    let candidate = due && !first && within(time, earliest, furthest_of(slot));
    let free = nothing_forestalls(slot, time, candidate, lane);
    var mark = 0u;
    if (first || (candidate && free)) { mark = send(slot, time); }
    if (mark != 0u || (entry & LEFT) != 0u) { put_word(slot, MARK, mark); }
    return min(mark, 1u);
}

fn send(slot: u32, time: Time) -> u32 {
    _ = enter(slot);
    let block = slot / BLOCK_CELLS;
    now = time;
    planned = now;
    put_time_of(slot, SENT_AT, time);
    atomicStore(&fronts[busy_place(block)], 1u);
    atomicStore(&fronts[marked_place(block)], 1u);
    if (!cell_output(slot)) { return IMMINENT; }
    wake(block, slot % BLOCK_CELLS);
    return SENDING;
}
