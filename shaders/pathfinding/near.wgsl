// pathfinding/near: the near cells of pathfinding/near_far: a sorted ring in workgroup memory, into which noted cells are
// merged. Writes: slots. Reads and writes: workgroup memory.

import package::pathfinding::ground::{DIRECTIONS};
import package::pathfinding::open_cells::{OpenCells};
import package::pending::order::{precedes};
import package::pending::queue::{queue, slots};
import constants::{EXPAND, MIDDLE, NEAR_ROOM, WORKGROUP};
import workgroup::{workgroup_prefix};

// How many near cells stay near where there are too many.
const STAY: u32 = NEAR_ROOM / 4u * 3u;
// How many middle or far cells a lane looks at in a turn.
const DRAWN: u32 = 1u + 32u / WORKGROUP;
// The most cells that a step opens, or that a turn of a refill finds, with those that already wait.
const NOTES: u32 = max(DIRECTIONS * EXPAND, (DRAWN + 1u) * WORKGROUP);

var<workgroup> near_keys: array<vec4<u32>, NEAR_ROOM>;     // a ring
var<workgroup> first_middle: vec4<u32>;                    // no near cell is behind it, and no other cell before it
var<workgroup> first_far: vec4<u32>;                       // no near or middle cell is behind it, and no far cell before it
var<workgroup> noted_keys: array<vec4<u32>, NOTES>;
var<workgroup> coming_keys: array<vec4<u32>, WORKGROUP>;   // of cells that become near, in no order
var<workgroup> coming_places: array<u32, WORKGROUP>;       // in order: how many near cells are before each
var<private> near_top: u32;

// Far cells lie at the beginning of the slots, middle ones at their end, the first the last.
fn far_slot(place: u32) -> u32 { return queue.base + place; }
fn middle_slot(place: u32) -> u32 { return queue.base + queue.size - 1u - place; }

fn near_key(place: u32) -> vec4<u32> { return near_keys[(near_top + place) % NEAR_ROOM]; }

// Takes in some of the noted keys, a lane each: they become near, middle or far.
fn take_in(open: OpenCells, first: u32, length: u32, lane: u32) -> OpenCells {
    var key = vec4<u32>();
    var comes = false;
    var is_far = false;
    if (lane < length) {
        key = noted_keys[first + lane];
        comes = precedes(key, first_middle);
        is_far = !precedes(key, first_far);
    }
    var all = 0u;
    let number = select(select(0x400u, 0x100000u, is_far), 1u, comes);
    let rank = workgroup_prefix(lane, select(0u, number, lane < length), &all);
    let coming = all & 0x3ffu;
    let middle = open.middle + ((all >> 10u) & 0x3ffu);
    let far = open.far + (all >> 20u);
    if (comes) {
        coming_keys[rank & 0x3ffu] = key;
    } else if (lane < length) {
        let slot = select(middle_slot(open.middle + ((rank >> 10u) & 0x3ffu)), far_slot(open.far + (rank >> 20u)), is_far);
        slots[slot] = key;
    }
    var others = OpenCells(open.near, middle, far);
    if (coming != 0u) { others = merge(others, coming, key, comes, lane); }
    return others;
}

// Merges the near cells with `coming` keys of all lanes; `comes` says whether this lane's key is among them.
fn merge(open: OpenCells, coming: u32, key: vec4<u32>, comes: bool, lane: u32) -> OpenCells {
    workgroupBarrier();
    let count = open.near + coming;
    let stay = select(count, STAY, count > NEAR_ROOM);
    let before = near_before(key, open.near);
    let order = coming_before(key, coming);
    if (comes) { coming_places[order] = before; }
    workgroupBarrier();
    let others = OpenCells(stay, open.middle, open.far);
    move_up(open.near, coming, others, lane);
    if (comes) { put(key, before + order, others); }
    workgroupBarrier();
    let moved = count - stay;
    return OpenCells(stay, open.middle + select(moved, 0u, MIDDLE == 0u), open.far + select(0u, moved, MIDDLE == 0u));
}

// Makes room for the keys that come: a near cell moves on by as many places as keys come before it, the last cell first.
// Cells before all these keys stay where they are, except cells that do not stay near.
fn move_up(near: u32, coming: u32, others: OpenCells, lane: u32) {
    let least = min(others.near, workgroupUniformLoad(&coming_places[0]));
    var end = near;
    while (end > least) {
        let begin = max(least, end - min(end, WORKGROUP));
        let place = begin + lane;
        let key = near_key(place);
        workgroupBarrier();
        let further = places_up_to(place, coming);
        if (place < end) { put(key, place + further, others); }
        workgroupBarrier();
        end = begin;
    }
}

// Puts a key at its place; keys that do not stay near become middle, or far where there is no middle part.
fn put(key: vec4<u32>, place: u32, others: OpenCells) {
    let behind = place - others.near;
    if (place < others.near) {
        near_keys[(near_top + place) % NEAR_ROOM] = key;
    } else {
        slots[select(middle_slot(others.middle + behind), far_slot(others.far + behind), MIDDLE == 0u)] = key;
        if (behind == 0u) { first_middle = key; }
        if (behind == 0u && MIDDLE == 0u) { first_far = key; }
    }
}

// How many of the coming keys precede a key among them.
fn coming_before(key: vec4<u32>, coming: u32) -> u32 {
    var before = 0u;
    for (var i = 0u; i < coming; i += 1u) { before += select(0u, 1u, precedes(coming_keys[i], key)); }
    return before;
}

// How many near keys precede a key. As below, the loop turns equally often in every lane.
fn near_before(key: vec4<u32>, near: u32) -> u32 {
    var before = 0u;
    for (var left = near; left != 0u; left >>= 1u) {
        let half = (left + 1u) / 2u;
        before += select(0u, half, precedes(near_key(before + half - 1u), key));
    }
    return before;
}

// How many of the coming keys go before the near key of a place.
fn places_up_to(place: u32, coming: u32) -> u32 {
    var before = 0u;
    for (var left = coming; left != 0u; left >>= 1u) {
        let half = (left + 1u) >> 1u;
        if (coming_places[before + half - 1u] <= place) { before += half; }
    }
    return before;
}
