// cells/relax_fronts: fronts come to a cell over edges between two of its neighbours.
// A block lies in the memory of its workgroup with what is around it, REACH cells on each side, and its cells share out the lanes. Times
// only become earlier, so an edge is looked at where one of its ends has changed, and none that no front reaches before the cell.
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
        // Every lane takes as many turns: FXC accepts no barrier behind a loop that lanes leave at different turns.
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

// When the first front reaches the cell that was entered, where it was to be reached at a time: over this edge, if one of its ends has
// changed.
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

// A cell has no event but when a front reaches it.
fn heard(slot: u32) -> u32 { return 0u; }
// A cell has got another time.
fn changed(slot: u32) { changes[slot] = control.model.number; }
