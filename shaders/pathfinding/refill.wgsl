// pathfinding/refill: which cells become near where no near cell is left. Where many cells are far the first of them become
// middle ones, so that most refills look at middle cells alone.
// Reads and writes: slots, workgroup memory.

import package::pathfinding::near::{DRAWN, far_slot, first_far, first_middle, middle_slot, near_key, noted_keys, take_in};
import package::pathfinding::open_cells::{OpenCells};
import package::pending::order::{precedes};
import package::pending::queue::{slots};
import constants::{MIDDLE, NEAR_ROOM, WORKGROUP};
import workgroup::{workgroup_prefix};

// Makes some open cells near; none was near before. Where MIDDLE is 0 all others are far. Else cells first move between the
// middle and the far part where the middle part has very many or few cells; then it has about MIDDLE. Both turns are in one
// loop, since compilers copy a function to each of its calls.
fn refill(open: OpenCells, lane: u32) -> OpenCells {
    storageBarrier();
    let few = open.middle < NEAR_ROOM / 2u;
    let far_moves = few && open.far > 2u * MIDDLE;
    let all_move = few && !far_moves && open.middle != 0u && open.far != 0u;
    let moves = MIDDLE != 0u && (far_moves || all_move || open.middle > 3u * MIDDLE);
    var now = open;
    for (var turn = select(1u, 0u, moves); turn < 2u; turn += 1u) {
        let of_far = now.middle == 0u || (turn == 0u && far_moves);
        let count = select(now.middle, now.far, of_far);
        var bound = vec4<u32>();
        if (turn != 0u || !all_move) { bound = first_behind(count, of_far, select(NEAR_ROOM / 2u, MIDDLE, turn == 0u), lane); }
        if (lane == 0u) {
            if (of_far || turn == 0u) { first_far = bound; }
            first_middle = first_far;
            if (precedes(bound, first_far)) { first_middle = bound; }
        }
        workgroupBarrier();
        if (turn == 0u) { now = move_between(now, count, of_far, lane); } else { now = make_near(now, count, of_far, lane); }
    }
    return now;
}

fn slot_of(place: u32, of_far: bool) -> u32 { return select(middle_slot(place), far_slot(place), of_far); }

// Makes the cells before `first_middle` near; the others of these cells stay in their part, and move together.
fn make_near(open: OpenCells, count: u32, of_far: bool, lane: u32) -> OpenCells {
    var drawn = OpenCells(0u, 0u, select(open.far, 0u, of_far));
    var noted = 0u;
    for (var first = 0u; first < count; first += DRAWN * WORKGROUP) {
        var keys: array<vec4<u32>, DRAWN>;
        var number = 0u;
        for (var i = 0u; i < DRAWN; i += 1u) {
            let place = first + i * WORKGROUP + lane;
            if (place < count) {
                keys[i] = slots[slot_of(place, of_far)];
                number += select(0x10000u, 1u, precedes(keys[i], first_middle));
            }
        }
        // No other cell goes to their places before they are read.
        storageBarrier();
        var all = 0u;
        let before = workgroup_prefix(lane, number, &all);
        var coming = noted + (before & 0xffffu);
        var stays = select(drawn.middle, drawn.far, of_far) + (before >> 16u);
        for (var i = 0u; i < DRAWN; i += 1u) {
            if (first + i * WORKGROUP + lane >= count) { continue; }
            if (precedes(keys[i], first_middle)) {
                noted_keys[coming] = keys[i];
                coming += 1u;
            } else {
                slots[slot_of(stays, of_far)] = keys[i];
                stays += 1u;
            }
        }
        noted += all & 0xffffu;
        if (of_far) { drawn.far += all >> 16u; } else { drawn.middle += all >> 16u; }
        if (noted >= WORKGROUP || count - first <= DRAWN * WORKGROUP) {
            workgroupBarrier();
            for (var at = 0u; at < noted; at += WORKGROUP) {
                drawn = take_in(drawn, at, min(noted - at, WORKGROUP), lane);
            }
            noted = 0u;
        }
    }
    return drawn;
}

// Makes the far cells before `first_far` middle ones, or the middle cells behind it far ones.
fn move_between(open: OpenCells, count: u32, of_far: bool, lane: u32) -> OpenCells {
    let others = select(open.far, open.middle, of_far);
    var stays = 0u;
    var moved = others;
    for (var first = 0u; first < count; first += WORKGROUP) {
        var key = vec4<u32>();
        var number = 0u;
        if (first + lane < count) {
            key = slots[slot_of(first + lane, of_far)];
            number = select(0x10000u, 1u, precedes(key, first_far) == of_far);
        }
        storageBarrier();
        var all = 0u;
        let before = workgroup_prefix(lane, number, &all);
        if (number == 1u) { slots[slot_of(moved + (before & 0xffffu), !of_far)] = key; }
        if (number > 1u) { slots[slot_of(stays + (before >> 16u), of_far)] = key; }
        moved += all & 0xffffu;
        stays += all >> 16u;
    }
    storageBarrier();
    return OpenCells(0u, select(stays, moved, of_far), select(moved, stays, of_far));
}

// From an ordered sample of these cells, a cell with about `wanted` cells before it, or more where there are very many; at
// least one cell is before it. Where there are few, a key behind all of them.
fn first_behind(count: u32, of_far: bool, wanted: u32, lane: u32) -> vec4<u32> {
    if (lane == 0u) { first_middle = vec4<u32>(0xffffffffu); }
    workgroupBarrier();
    var bound = vec4<u32>(0xffffffffu);
    if (count > 2u * wanted) {
        let samples = min(NEAR_ROOM, count / 8u + WORKGROUP);
        var sample = OpenCells(0u, 0u, 0u);
        while (sample.near < samples) {
            let length = min(samples - sample.near, WORKGROUP);
            if (lane < length) { noted_keys[lane] = slots[slot_of((sample.near + lane) * (count / samples), of_far)]; }
            sample = take_in(sample, 0u, length, lane);
        }
        bound = near_key(max(1u, samples * wanted / count));
    }
    return bound;
}
