// cells/relax_fronts: fronts come to a cell over edges between two of its neighbours.
// A block lies in the memory of its workgroup with what is around it, REACH cells on each side. Times only become earlier, and an
// edge that no front reaches before the cell has nothing to give it.
// Reads: control, plans. Writes: proposals, flags (of the own block).

import package::cells::cell::{plans};
import package::cells::passage::{AGAIN, flag_place, flags, list, proposals};
import package::cells::space::{BLOCK_CELLS, NOWHERE, enter, slot_at, space};
import package::lib::control::{control};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs, wide_minimum};
import constants::{AREA, AREA_WIDTH, REACH, WORKGROUP};
import fronts::{front_ends, front_over};
import word64::{wide_less};

const TURNS_WITHIN: u32 = 4u;

var<workgroup> area: array<Time, AREA * WORKGROUP / BLOCK_CELLS>; // times of the cells of blocks, and of those around

// Of the blocks in `list` the cell of this number: what its time is, as far as that follows from within and from what is known
// around. Every lane comes.
fn relax(cell: u32, lane: u32, listed: u32, parity: u32) {
    load((cell - lane) / BLOCK_CELLS, lane, listed);
    workgroupBarrier();
    var time = never();
    var slot = 0u;
    var there = false;
    if (cell < listed * BLOCK_CELLS) {
        slot = list[cell / BLOCK_CELLS] * BLOCK_CELLS + cell % BLOCK_CELLS;
        there = enter(slot);
    }
    if (there) { time = plans[slot]; }
    let own = place_of(lane);
    var last = time;
    for (var turn = 0u; turn < TURNS_WITHIN; turn += 1u) {
        last = time;
        if (there) { time = reached(own, time); }
        workgroupBarrier();
        if (there) { area[own] = before_limit(time); }
        workgroupBarrier();
    }
    if (there) {
        proposals[slot] = time;
        if (wide_differs(time, last)) { atomicOr(&flags[flag_place(parity, slot / BLOCK_CELLS)], AGAIN); }
    }
}

// Brings the times of the next blocks of the list, and of the cells around them.
fn load(first: u32, lane: u32, listed: u32) {
    for (var number = 0u; number < WORKGROUP / BLOCK_CELLS && first + number < listed; number += 1u) {
        _ = enter(list[first + number] * BLOCK_CELLS);
        for (var n = lane; n < AREA; n += WORKGROUP) {
            let slot = slot_at(vec3<i32>(i32(n % AREA_WIDTH) - i32(REACH), i32(n / AREA_WIDTH) - i32(REACH), 0));
            var time = never();
            if (slot != NOWHERE) { time = before_limit(plans[slot]); }
            area[number * AREA + n] = time;
        }
    }
}

// Where the cell of a lane lies.
fn place_of(lane: u32) -> u32 {
    let place = lane % BLOCK_CELLS;
    let x = place & ((1u << space.tile.x) - 1u);
    let y = place >> space.tile.x;
    return lane / BLOCK_CELLS * AREA + (y + REACH) * AREA_WIDTH + x + REACH;
}

// Nothing sets out at the horizon or later.
fn before_limit(time: Time) -> Time {
    if (wide_less(time, control.limit)) { return time; }
    return never();
}

// When the first front reaches the cell that was entered, where it was to be reached at a time.
fn reached(own: u32, before: Time) -> Time {
    var time = before;
    for (var edge = 0u; edge < space.neighbours; edge += 1u) {
        let ends = front_ends(edge);
        let begin = area[own + away(ends.x)];
        let end = area[own + away(ends.y)];
        if (wide_less(begin, never()) && wide_less(wide_minimum(begin, end), time)) {
            time = wide_minimum(time, front_over(edge, begin, end));
        }
    }
    return time;
}

// How far a neighbour lies from a cell, modulo 2^32.
fn away(n: u32) -> u32 { return u32(space.offsets[n].x + space.offsets[n].y * i32(AREA_WIDTH)); }

// A cell has no event but when a front reaches it.
fn heard(slot: u32) -> u32 { return 0u; }
