// pathfinding/step: a step of a search: the first open cells of the contract's order are expanded. The open list is a set of
// pending events: the key of a cell is (cost and estimate; half of what is left; its place). A cell that has become cheaper
// since lies there twice, and its dearer entry is left out when its turn comes.
// Reads: control, cells. Reads and writes: slots, costs, works, of this thread's search only.

import package::lib::control::{control};
import package::lib::time::{Time};
import package::lib::wide::{wide_minimum};
import package::pathfinding::ground::{DIRECTIONS, cell_of, half_left, neighbour, parameters};
import package::pathfinding::known::{is_less, known_cost, set_known, stamp_of};
import package::pathfinding::works::{work};
import package::pending::order::{time_of};
import constants::{EXPAND};
import discovery::{discover, end_discovery};
import set::{SPARE, first_time, pop};
import terrain::{move_cost, moves_of};
import word64::{wide, wide_add, wide_high, wide_less, wide_low, wide_product, wide_sub};

// 500 moves: a step expands no cell this far behind its first cell.
const SPREAD: u32 = 500000000u;

struct Taken {
    place: u32,
    cost: Time,
}

// A step adds at most DIRECTIONS * EXPAND cells to an open list.
fn has_room(open: u32) -> bool { return open + DIRECTIONS * EXPAND <= parameters.slots - SPARE; }

// Makes a step; returns how many cells it has expanded, 0 where the search has ended.
fn step() -> u32 {
    var taken: array<Taken, EXPAND>;
    var number = 0u;
    var end = work.best;
    loop {
        let time = first_time();
        if (number == EXPAND || !wide_less(time, end)) { break; }
        let event = pop();
        let cost = wide_sub(time, wide_product(event.key.z, control.model.twice_least));
        if (known_cost(cell_of(event.key.w)) != stamp_of(wide_low(cost))) { continue; }
        if (number == 0u) { end = wide_minimum(end, wide_add(time, wide(SPREAD + 1u, 0u))); }
        taken[number] = Taken(event.key.w, cost);
        number += 1u;
    }
    for (var i = 0u; i < number; i += 1u) { expand(taken[i].place, taken[i].cost); }
    end_discovery();
    work.expansions += number;
    return number;
}

fn expand(place: u32, cost: Time) {
    let from_cell = cell_of(place);
    let moves = moves_of(from_cell);
    var known: array<u32, DIRECTIONS>;
    for (var d = 0u; d < DIRECTIONS; d += 1u) {
        known[d] = 0u;
        if (((moves >> d) & 1u) != 0u) { known[d] = known_cost(cell_of(neighbour(place, d))); }
    }
    for (var d = 0u; d < DIRECTIONS; d += 1u) {
        if (((moves >> d) & 1u) == 0u) { continue; }
        let to = neighbour(place, d);
        let to_cell = cell_of(to);
        let there = wide_add(cost, wide(move_cost(from_cell, to_cell, d), 0u));
        let stamp = stamp_of(wide_low(there));
        if (known[d] != 0u && !is_less(stamp, known[d])) { continue; }
        set_known(to_cell, known[d], stamp);
        if (to == work.goal) { work.best = there; } else { open_cell(to, there); }
    }
}

fn open_cell(place: u32, cost: Time) {
    let key = key_of(place, cost);
    discover(time_of(key), key.z, place);
}

// The key of an open cell: the sum of its cost and the estimate, half of what is left, its place.
fn key_of(place: u32, cost: Time) -> vec4<u32> {
    let left = half_left(place, work.goal);
    let time = wide_add(cost, wide_product(left, control.model.twice_least));
    return vec4<u32>(wide_low(time), wide_high(time), left, place);
}
