// cells/front_area: a block at work of cells/relax_fronts with the cells around it, REACH on each side, in workgroup memory.
// Reads: control, plans, changes. Writes: workgroup memory.

import package::cells::cell::{plans};
import package::cells::space::{BLOCK_CELLS, NOWHERE, enter, slot_at, space};
import package::lib::control::{control};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_minimum};
import constants::{AREA, AREA_WIDTH, REACH, WORKGROUP};
import fronts::{front_begin, front_cell, front_ready};
import word64::{wide_less};
import workgroup::{workgroup_minimum};

// For each slot the number of the round in which its time last changed; behind these, for each block the number of the round that
// last relaxed it. Rounds have numbers from 1 on.
var<storage, read_write> changes: array<u32>;

var<workgroup> area: array<Time, AREA>;       // times of the cells of a block, and of the cells around
var<workgroup> news: array<u32, AREA>;        // the turn, from 1 on, in which other cells look at its change

// Loads the times of a block's cells and of the cells around, and what fronts need of them.
fn load(block: u32, lane: u32) {
    let relaxed = changes[space.slots + block];
    _ = enter(block * BLOCK_CELLS);
    var least = never();
    for (var begin = 0u; begin < AREA; begin += WORKGROUP) {
        let n = begin + lane;
        if (n < AREA) { least = wide_minimum(least, load_cell(n, relaxed)); }
    }
    least = workgroup_minimum(lane, least);
    front_begin(least);
    for (var begin = 0u; begin < AREA; begin += WORKGROUP) {
        let n = begin + lane;
        let offset = from_corner(n);
        if (n < AREA && slot_at(offset) != NOWHERE) { front_cell(n, offset.xy); }
    }
    front_ready(lane);
}

// Loads a cell of the area; returns its time where it has changed since, else never.
fn load_cell(n: u32, relaxed: u32) -> Time {
    let slot = slot_at(from_corner(n));
    var time = never();
    var fresh = 0u;
    if (slot != NOWHERE) {
        time = before_limit(plans[slot]);
        fresh = select(0u, 1u, changes[slot] >= relaxed);
    }
    area[n] = time;
    news[n] = fresh;
    if (fresh == 0u) { time = never(); }
    return time;
}

// Where a cell of the area lies, relative to the first cell of the block.
fn from_corner(n: u32) -> vec3<i32> { return vec3<i32>(i32(n % AREA_WIDTH) - i32(REACH), i32(n / AREA_WIDTH) - i32(REACH), 0); }

// Where a cell of the block lies in the area.
fn place_of(place: u32) -> u32 {
    let x = place & ((1u << space.tile.x) - 1u);
    let y = place >> space.tile.x;
    return (y + REACH) * AREA_WIDTH + x + REACH;
}

// A time before the horizon, else never: no fire sets out at the horizon or later.
fn before_limit(time: Time) -> Time {
    if (wide_less(time, control.limit)) { return time; }
    return never();
}

// The distance of a neighbour from a cell in places of the area, modulo 2^32.
fn away(n: u32) -> u32 { return u32(space.offsets[n].x + space.offsets[n].y * i32(AREA_WIDTH)); }
