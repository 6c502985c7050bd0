// pathfinding/near_far: an open list in two parts. The near one is a sorted ring of NEAR slots and holds every cell before a
// bound; the far one lies behind it, in no order, and holds the others. A step looks at near cells alone and moves no others.
// Where they run out, the first of the far cells become near; where they are too many, the last of them become far. Where NEAR
// is all there is, every cell is near.
// Reads and writes: slots, workgroup memory. Every lane calls every function with the same list.

import package::pathfinding::works::{work};
import package::pending::circular_parallel::{settle};
import package::pending::order::{precedes};
import package::pending::queue::{key_at, queue};
import package::pending::ring::{ring_slot};
import constants::{EXPAND, NEAR, SLOTS, WORKGROUP};
import events::{event_at, new_event, put_event};
import workgroup::{workgroup_prefix, workgroup_sum};

// A step adds so many cells at most. A ring has slots to spare.
const STEP: u32 = 8u * EXPAND;
const SPARE_SLOTS: u32 = 4u;
const MOST_NEAR: u32 = NEAR - STEP - SPARE_SLOTS;
// So many stay near, or become near, at most.
const FEW: u32 = MOST_NEAR / 2u;
const PARTED: bool = NEAR < SLOTS;
const ALL_BITS: u32 = 0xffffffffu;

// How many cells each part has.
struct List {
    near: u32,
    far: u32,
}

var<workgroup> samples: array<vec4<u32>, WORKGROUP>;
var<workgroup> pivot: vec4<u32>;

fn no_bound() -> vec4<u32> { return vec4<u32>(ALL_BITS); }
fn far_slot(place: u32) -> u32 { return queue.base + NEAR + place; }

// Whether there is room for a step, whatever becomes near or far.
fn list_has_room(list: List) -> bool {
    if (PARTED) { return list.far + list.near + STEP <= SLOTS - NEAR; }
    return list.near <= MOST_NEAR;
}

// The lanes' cells, where they open some: near ones come behind the ring, where so many lie already.
fn put_cells(list: List, behind: u32, key: vec4<u32>, opens: bool, lane: u32) -> List {
    let near = opens && precedes(key, work.bound);
    var all = 0u;
    let rank = workgroup_prefix(lane, select(0u, select(0x10000u, 1u, near), opens), &all);
    if (near) { put_event(ring_slot(list.near + behind + (rank & 0xffffu)), new_event(key, vec4<u32>())); }
    if (opens && !near) { put_event(far_slot(list.far + (rank >> 16u)), new_event(key, vec4<u32>())); }
    return List(behind + (all & 0xffffu), list.far + (all >> 16u));
}

// The last near cells become far where there are too many.
fn spill(list: List, lane: u32) -> List {
    if (!PARTED || list.near <= MOST_NEAR) { return list; }
    work.bound = key_at(ring_slot(FEW));
    for (var place = FEW + lane; place < list.near; place += WORKGROUP) {
        put_event(far_slot(list.far + place - FEW), event_at(ring_slot(place)));
    }
    storageBarrier();
    return List(FEW, list.far + list.near - FEW);
}

// The first far cells become near; there are some, and none is near.
fn refill(far: u32, lane: u32) -> List {
    choose_bound(far, lane);
    var list = List(0u, 0u);
    for (var first = 0u; first < far; first += WORKGROUP) {
        let there = first + lane < far;
        var key = no_bound();
        if (there) { key = key_at(far_slot(first + lane)); }
        let near = precedes(key, work.bound);
        var all = 0u;
        // All lanes have read before one writes: those that stay move to places before.
        let rank = workgroup_prefix(lane, select(0u, select(0x10000u, 1u, near), there), &all);
        if (near) { put_event(ring_slot(list.near + (rank & 0xffffu)), new_event(key, vec4<u32>())); }
        if (there && !near) { put_event(far_slot(list.far + (rank >> 16u)), new_event(key, vec4<u32>())); }
        list = List(list.near + (all & 0xffffu), list.far + (all >> 16u));
    }
    storageBarrier();
    settle(list.near, list.near, lane);
    return list;
}

// A bound with at least one far cell before it, and a few at most.
fn choose_bound(far: u32, lane: u32) {
    work.bound = no_bound();
    var before = far;
    while (before > FEW) {
        let key = choose_pivot(far, before, lane);
        let fewer = count_before(key, far, lane);
        if (fewer == 0u) {
            // It is the first of all, and becomes near alone.
            work.bound = vec4<u32>(key.x, key.y, key.z, key.w + 1u);
            break;
        }
        work.bound = key;
        before = fewer;
    }
}

fn count_before(bound: vec4<u32>, far: u32, lane: u32) -> u32 {
    var number = 0u;
    for (var place = lane; place < far; place += WORKGROUP) {
        if (precedes(key_at(far_slot(place)), bound)) { number += 1u; }
    }
    return workgroup_sum(lane, number);
}

// The key of a far cell before the bound, with about as many of the others before it as are wanted: each lane offers the
// first one that it meets.
fn choose_pivot(far: u32, before: u32, lane: u32) -> vec4<u32> {
    var key = no_bound();
    for (var place = lane; place < far; place += WORKGROUP) {
        let other = key_at(far_slot(place));
        if (precedes(other, work.bound)) {
            key = other;
            break;
        }
    }
    let offers = precedes(key, no_bound());
    samples[lane] = key;
    let number = workgroup_sum(lane, select(0u, 1u, offers));
    var rank = 0u;
    for (var other = 0u; other < WORKGROUP; other += 1u) { rank += select(0u, 1u, precedes(samples[other], key)); }
    // Not the least, where there is another one: so one lies before it.
    let wanted = clamp(number * FEW / (before + before / 4u), min(1u, number - 1u), number - 1u);
    if (offers && rank == wanted) { pivot = key; }
    return workgroupUniformLoad(&pivot);
}
