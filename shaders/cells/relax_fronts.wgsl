// cells/relax_fronts: fronts come to a cell over edges between two of its neighbours.
// A block lies in the memory of its workgroup with what is around it, REACH cells on each side. Times only become earlier, so an
// edge is looked at where one of its ends has changed, and none that no front reaches before the cell.
// Reads: control, plans. Writes: proposals, flags (of the own block), changes.

import package::cells::cell::{plans};
import package::cells::passage::{AGAIN, flag_place, flags, list, proposals};
import package::cells::space::{BLOCK_CELLS, NOWHERE, enter, here, slot_at, space};
import package::lib::control::{control};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs, wide_minimum};
import constants::{AREA, AREA_WIDTH, REACH, WORKGROUP};
import extent::{is_own};
import fronts::{front_ends, front_over};
import word64::{wide_less};

const TURNS_WITHIN: u32 = 4u;

// Of each slot the number of the round in which its time has last changed; behind them of each block that of the round in which it
// was last relaxed. Rounds have numbers from 1 on.
var<storage, read_write> changes: array<u32>;

var<workgroup> area: array<Time, AREA * WORKGROUP / BLOCK_CELLS>; // times of the cells of blocks, and of those around
var<workgroup> news: array<u32, AREA * WORKGROUP / BLOCK_CELLS>;  // the turn, from 1 on, in which others look at its change

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
    // Of cells of other ranks those tell the times.
    let follows = there && is_own(here);
    let own = place_of(lane);
    var last = time;
    for (var turn = 0u; turn < TURNS_WITHIN; turn += 1u) {
        last = time;
        if (follows) { time = reached(own, time, turn + 1u); }
        workgroupBarrier();
        if (follows && wide_differs(time, last)) {
            area[own] = before_limit(time);
            news[own] = turn + 2u;
        }
        workgroupBarrier();
    }
    if (there && lane % BLOCK_CELLS == 0u) { changes[block_place(slot)] = control.model.before + 1u; }
    if (there) {
        proposals[slot] = time;
        if (wide_differs(time, last)) { atomicOr(&flags[flag_place(parity, slot / BLOCK_CELLS)], AGAIN); }
    }
}

// Brings the times of the next blocks of the list, and of the cells around them.
fn load(first: u32, lane: u32, listed: u32) {
    for (var number = 0u; number < WORKGROUP / BLOCK_CELLS && first + number < listed; number += 1u) {
        let begin = list[first + number] * BLOCK_CELLS;
        let relaxed = changes[block_place(begin)];
        _ = enter(begin);
        for (var n = lane; n < AREA; n += WORKGROUP) {
            let slot = slot_at(vec3<i32>(i32(n % AREA_WIDTH) - i32(REACH), i32(n / AREA_WIDTH) - i32(REACH), 0));
            var time = never();
            var turn = 0u;
            if (slot != NOWHERE) {
                time = before_limit(plans[slot]);
                turn = select(0u, 1u, changes[slot] >= relaxed);
            }
            area[number * AREA + n] = time;
            news[number * AREA + n] = turn;
        }
    }
}

// Where it stands when the block of a slot was last relaxed.
fn block_place(slot: u32) -> u32 { return space.slots + slot / BLOCK_CELLS; }

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

// When the first front reaches the cell that was entered, where it was to be reached at a time: over edges that have changed.
fn reached(own: u32, before: Time, turn: u32) -> Time {
    var time = before;
    for (var edge = 0u; edge < space.neighbours; edge += 1u) {
        let ends = front_ends(edge);
        let places = vec2<u32>(own + away(ends.x), own + away(ends.y));
        if (news[places.x] != turn && news[places.y] != turn) { continue; }
        let begin = area[places.x];
        let end = area[places.y];
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

// A cell has got another time.
fn changed(slot: u32) { changes[slot] = control.model.number; }
