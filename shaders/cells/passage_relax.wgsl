// cells/passage_relax (part 1 of a round; a workgroup a group of blocks)
// What: finds the times of the cells of urgent blocks, as far as they follow from within and from what is known around.
// Reads: control, plans, flags. Writes: control (first group), proposals, flags (of its own blocks).
// Afterwards: proposals of urgent blocks are their times; a block is flagged again where they might not be the last.

import package::cells::cell::{plans};
import package::cells::groups::{block_of, blocks_of};
import package::cells::passage::{AGAIN, flag_place, flags, least_urgent, pending, proposals};
import package::cells::space::{BLOCK_CELLS, NOWHERE, enter, neighbour_slot};
import package::lib::control::{control};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs, wide_minimum};
import constants::{NEIGHBOURS, WORKGROUP};
import passages::{passage_delay_again, passage_delay_first, passage_start};
import word64::{wide, wide_add, wide_less};
import workgroup::{workgroup_prefix};

const TURNS_WITHIN: u32 = 8u;

var<workgroup> list: array<u32, WORKGROUP>;
var<workgroup> times: array<Time, WORKGROUP>;

fn run(group: u32, lane: u32) {
    let parity = (control.finished + 1u) & 1u;
    let goes = wide_less(wide(0u, 0u), control.limit) && pending(parity);
    if (group == 0u && lane == 0u) { begin(goes); }
    let least = least_urgent(group, lane, parity);
    let count = blocks_of(group);
    for (var first = 0u; first < count; first += WORKGROUP) {
        var block = 0u;
        var wanted = 0u;
        if (goes && first + lane < count) {
            block = block_of(group, first + lane);
            wanted = select(0u, 1u, atomicLoad(&flags[flag_place(parity, block)]) >= least);
        }
        var listed = 0u;
        let rank = workgroup_prefix(lane, wanted, &listed);
        if (wanted != 0u) { list[rank] = block; }
        workgroupBarrier();
        for (var cell = 0u; cell < listed * BLOCK_CELLS; cell += WORKGROUP) { relax(cell + lane, lane, listed, parity); }
        workgroupBarrier();
    }
}

fn begin(goes: bool) {
    control.running = select(0u, 1u, goes);
    if (goes) {
        control.round = control.finished + 1u;
    } else {
        control.bound = control.limit;
    }
}

fn relax(cell: u32, lane: u32, listed: u32, parity: u32) {
    var delays: array<Time, NEIGHBOURS>;
    var within: array<u32, NEIGHBOURS>;
    var known = never(); // what does not change within this round
    var time = never();
    var there = false;
    var slot = 0u;
    if (cell < listed * BLOCK_CELLS) {
        slot = list[cell / BLOCK_CELLS] * BLOCK_CELLS + cell % BLOCK_CELLS;
        there = enter(slot);
    }
    if (there) {
        time = plans[slot];
        known = passage_start(slot, time);
    }
    for (var n = 0u; n < NEIGHBOURS; n += 1u) {
        delays[n] = never();
        within[n] = lane;
        if (!there) { continue; }
        let other = neighbour_slot(n);
        if (other == NOWHERE) { continue; }
        let out = plans[other];
        delays[n] = passage_delay_first(n, out);
        if (other / BLOCK_CELLS == slot / BLOCK_CELLS) {
            within[n] = lane - cell % BLOCK_CELLS + other % BLOCK_CELLS;
        } else {
            known = wide_minimum(known, passage(out, delays[n]));
        }
    }
    var last = time;
    for (var turn = 0u; turn < TURNS_WITHIN; turn += 1u) {
        times[lane] = time;
        last = time;
        workgroupBarrier();
        time = known;
        for (var n = 0u; n < NEIGHBOURS; n += 1u) {
            if (within[n] == lane) { continue; }
            let out = times[within[n]];
            if (turn > 0u) { delays[n] = passage_delay_again(n, out, delays[n]); }
            time = wide_minimum(time, passage(out, delays[n]));
        }
        workgroupBarrier();
    }
    if (there) {
        proposals[slot] = time;
        if (wide_differs(time, last)) { atomicOr(&flags[flag_place(parity, slot / BLOCK_CELLS)], AGAIN); }
    }
}

// When something arrives that sets out at a time; nothing sets out at the horizon or later.
fn passage(time: Time, delay: Time) -> Time {
    if (!wide_less(time, control.limit) || !wide_less(delay, never())) { return never(); }
    return wide_add(time, delay);
}
