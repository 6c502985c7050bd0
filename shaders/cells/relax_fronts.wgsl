// cells/relax_fronts: fronts come to a cell over edges between two of its neighbours.
// A block lies in the memory of its workgroup with what is around it, REACH cells on each side, and its cells share out the lanes. Times
// only become earlier, so an edge is looked at where one of its ends has changed, and none that no front reaches before the cell.
// Reads: control, plans. Writes: proposals, flags (of the own block), changes.

import package::cells::cell::{plans};
import package::cells::passage::{AGAIN, flag_place, flags, list, proposals};
import package::cells::space::{BLOCK_CELLS, NOWHERE, enter, slot_at, space};
import package::lib::control::{control};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs, wide_minimum};
import constants::{AREA, AREA_WIDTH, REACH, WORKGROUP};
import fronts::{front_begin, front_cell, front_ends, front_least, front_over, front_ready};
import word64::{wide_add, wide_less};
import workgroup::{workgroup_minimum};

const TURNS_WITHIN: u32 = 4u;

// Of each slot the number of the round in which its time has last changed; behind them of each block that of the round in which it
// was last relaxed. Rounds have numbers from 1 on.
var<storage, read_write> changes: array<u32>;

var<workgroup> area: array<Time, AREA>;       // times of the cells of a block, and of those around
var<workgroup> news: array<u32, AREA>;        // the turn, from 1 on, in which others look at its change
var<workgroup> found: array<Time, WORKGROUP>; // what each lane has found

// What the times of the cells of listed blocks are, as far as they follow from within and from what is known around. Every lane comes.
fn relax(lane: u32, listed: u32, parity: u32) {
    for (var number = 0u; number < listed; number += 1u) {
        let block = list[number];
        load(block, lane);
        workgroupBarrier();
        relax_block(block, lane, parity);
        workgroupBarrier();
    }
}

fn relax_block(block: u32, lane: u32, parity: u32) {
    let place = lane % BLOCK_CELLS;
    let own = place_of(place);
    let slot = block * BLOCK_CELLS + place;
    let there = enter(slot);
    var time = never();
    if (there) { time = plans[slot]; }
    var last = time;
    for (var turn = 1u; turn <= TURNS_WITHIN; turn += 1u) {
        last = time;
        if (there) { time = reached(own, time, turn, lane / BLOCK_CELLS); }
        found[lane] = time;
        workgroupBarrier();
        for (var other = place; other < WORKGROUP; other += BLOCK_CELLS) { time = wide_minimum(time, found[other]); }
        if (lane == place && wide_differs(time, last)) {
            area[own] = before_limit(time);
            news[own] = turn + 1u;
        }
        workgroupBarrier();
    }
    if (lane == 0u) { changes[space.slots + block] = control.model.before + 1u; }
    if (there && lane == place) {
        proposals[slot] = time;
        if (wide_differs(time, last)) { atomicOr(&flags[flag_place(parity, block)], AGAIN); }
    }
}

// Brings the times of a block's cells, and of the cells around them, and what fronts need of them.
fn load(block: u32, lane: u32) {
    let relaxed = changes[space.slots + block];
    _ = enter(block * BLOCK_CELLS);
    var least = never();
    for (var n = lane; n < AREA; n += WORKGROUP) {
        let slot = slot_at(from_corner(n));
        area[n] = never();
        news[n] = 0u;
        if (slot == NOWHERE) { continue; }
        area[n] = before_limit(plans[slot]);
        news[n] = select(0u, 1u, changes[slot] >= relaxed);
        if (news[n] != 0u) { least = wide_minimum(least, area[n]); }
    }
    least = workgroup_minimum(lane, least);
    front_begin(least);
    for (var n = lane; n < AREA; n += WORKGROUP) {
        let offset = from_corner(n);
        if (slot_at(offset) != NOWHERE) { front_cell(n, offset.xy); }
    }
    front_ready(lane);
}

// Where a cell of the area lies, from the first cell of the block.
fn from_corner(n: u32) -> vec3<i32> { return vec3<i32>(i32(n % AREA_WIDTH) - i32(REACH), i32(n / AREA_WIDTH) - i32(REACH), 0); }

// Where a cell of the block lies in the area.
fn place_of(place: u32) -> u32 {
    let x = place & ((1u << space.tile.x) - 1u);
    let y = place >> space.tile.x;
    return (y + REACH) * AREA_WIDTH + x + REACH;
}

// Nothing sets out at the horizon or later.
fn before_limit(time: Time) -> Time {
    if (wide_less(time, control.limit)) { return time; }
    return never();
}

// When the first front reaches the cell that was entered, where it was to be reached at a time: over this lane's edges, of which one
// end has changed.
fn reached(own: u32, before: Time, turn: u32, first: u32) -> Time {
    var time = before;
    for (var edge = first; edge < space.neighbours; edge += WORKGROUP / BLOCK_CELLS) {
        let ends = front_ends(edge);
        let places = vec2<u32>(own + away(ends.x), own + away(ends.y));
        if (news[places.x] != turn && news[places.y] != turn) { continue; }
        let begin = area[places.x];
        let end = area[places.y];
        if (wide_less(begin, never()) && wide_less(wide_add(wide_minimum(begin, end), front_least(edge)), time)) {
            time = front_over(own, edge, begin, end, time);
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
