// cells/relax_fronts: fronts come to a cell over edges between two of its neighbours.
// A block lies in the memory of its workgroup with the cells around it, REACH on each side; the lanes are shared among its cells. Times
// only become earlier, so a lane looks only at edges with an end that has changed and over which a front can still come first.
// Reads: control, plans. Writes: proposals, flags (of the own block), changes.

import package::cells::cell::{plans};
import package::cells::front_area::{area, away, before_limit, changes, load, news, place_of};
import package::cells::passage::{AGAIN, flag_place, flags, list, proposals};
import package::cells::space::{BLOCK_CELLS, enter, space};
import package::lib::control::{control};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs, wide_minimum};
import constants::{WORKGROUP};
import fronts::{front_ends, front_least, front_over};
import word64::{wide_add, wide_less};

const TURNS_WITHIN: u32 = 4u;

var<workgroup> found: array<Time, WORKGROUP>; // what each lane has found

// Finds the times of the cells of listed blocks, as far as they follow from the block and the known times around it. Every lane calls
// it.
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
        // Every lane takes the same number of turns: FXC accepts no barrier behind a loop that lanes leave at different
        // turns.
        for (var start = 0u; start < space.neighbours; start += WORKGROUP / BLOCK_CELLS) {
            let edge = start + lane / BLOCK_CELLS;
            if (there && edge < space.neighbours) { time = over_edge(own, edge, time, turn); }
        }
        found[lane] = time;
        workgroupBarrier();
        for (var part = 0u; part < WORKGROUP; part += BLOCK_CELLS) { time = wide_minimum(time, found[part + place]); }
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

// When the first front reaches the entered cell over this edge, if an end of the edge has changed; `before` is the time at which the
// cell was to be reached.
fn over_edge(own: u32, edge: u32, before: Time, turn: u32) -> Time {
    let ends = front_ends(edge);
    let places = vec2<u32>(own + away(ends.x), own + away(ends.y));
    var time = before;
    if (news[places.x] == turn || news[places.y] == turn) {
        let begin = area[places.x];
        let end = area[places.y];
        if (wide_less(begin, never()) && wide_less(wide_add(wide_minimum(begin, end), front_least(edge)), time)) {
            time = front_over(own, edge, begin, end, time);
        }
    }
    return time;
}

// A cell has no event except when a front reaches it.
fn heard(slot: u32) -> u32 { return 0u; }
// Notes the round in which a cell has got another time.
fn changed(slot: u32) { changes[slot] = control.model.number; }
