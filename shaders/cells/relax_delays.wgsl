// cells/relax_delays: each neighbour's first passage reaches the cell after a delay.
// Reads: control, plans. Writes: proposals, flags (of the own block).

import package::cells::cell::{plans};
import package::cells::passage::{AGAIN, flag_place, flags, list, proposals};
import package::cells::space::{BLOCK_CELLS, NOWHERE, enter, neighbour_slot, space};
import package::lib::control::{control};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs, wide_minimum};
import constants::{NEIGHBOURS, WORKGROUP};
import passages::{passage_delay_again, passage_delay_first, passage_start};
import word64::{wide_add, wide_less};

const TURNS_WITHIN: u32 = 8u;

var<workgroup> times: array<Time, WORKGROUP>;

// Finds the times of the cells of the blocks in `list`, as far as they follow from the block and the known times around it. Every
// lane calls it.
fn relax(lane: u32, listed: u32, parity: u32) {
    for (var cell = 0u; cell < listed * BLOCK_CELLS; cell += WORKGROUP) { relax_cell(cell + lane, lane, listed, parity); }
}

fn relax_cell(cell: u32, lane: u32, listed: u32, parity: u32) {
    var delays: array<Time, NEIGHBOURS>;
    var within: array<u32, NEIGHBOURS>;
    var known = never(); // the part that does not change within this round
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

// When a passage arrives that departs at a time; nothing departs at the horizon or later.
fn passage(time: Time, delay: Time) -> Time {
    if (!wide_less(time, control.limit) || !wide_less(delay, never())) { return never(); }
    return wide_add(time, delay);
}

// A cell has got another time: nothing to note, since every delay is looked at again.
fn changed(slot: u32) {}

// The number of instants at which neighbours have their events, except the instant of the cell's own event.
fn heard(slot: u32) -> u32 {
    var instants = 0u;
    for (var n = 0u; n < space.neighbours; n += 1u) {
        let time = time_of(n);
        if (!wide_less(time, control.limit) || !wide_differs(time, plans[slot])) { continue; }
        var fresh = 1u;
        for (var before = 0u; before < n; before += 1u) {
            if (!wide_differs(time_of(before), time)) { fresh = 0u; }
        }
        instants += fresh;
    }
    return instants;
}

fn time_of(n: u32) -> Time {
    let other = neighbour_slot(n);
    if (other == NOWHERE) { return never(); }
    return plans[other];
}
