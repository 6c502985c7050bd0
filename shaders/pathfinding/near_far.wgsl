// pathfinding/near_far: the open cells of a workgroup's search in three parts. The near cells lie in order in workgroup
// memory; the middle and the far cells, which come later, lie in the slots in no order.
// Near and far are the piles of Davidson, Baxter, Garland, Owens: Work-efficient parallel GPU methods for single-source
// shortest paths, IPDPS 2014; there both are without order.
// Reads and writes: slots, workgroup memory.

import package::pathfinding::ground::{DIRECTIONS};
import package::pathfinding::near::{far_slot, first_far, first_middle, near_key, near_keys, near_top, noted_keys, take_in};
import package::pathfinding::refill::{refill};
import package::pathfinding::open_cells::{OpenCells, all_of, has_more};
import package::pathfinding::step::{has_room};
import package::pending::queue::{queue, slots};
import constants::{EXPAND, MIDDLE, WORKGROUP};
import workgroup::{workgroup_prefix};

// The open cells at the beginning of a round or of a search.
fn listed() -> OpenCells { return OpenCells(queue.free, queue.least, queue.count - queue.free - queue.least); }

// Before the first step of a round. Behind the far cells lie the near ones, and then the bound of the far ones.
fn load_near(open: OpenCells, lane: u32) {
    near_top = 0u;
    for (var i = lane; i < open.near; i += WORKGROUP) { near_keys[i] = slots[far_slot(open.far + i)]; }
    if (lane == 0u) {
        first_middle = vec4<u32>(select(0xffffffffu, 0u, has_more(open)));
        if (open.near != 0u && has_more(open)) { first_middle = slots[far_slot(open.far + open.near - 1u)]; }
        first_far = slots[far_slot(open.far + open.near)];
        // Without middle cells every cell that is not far is near.
        if (MIDDLE == 0u) { first_middle = first_far; }
    }
    workgroupBarrier();
}

// At the end of a round.
fn store_near(open: OpenCells, lane: u32) {
    for (var i = lane; i < open.near; i += WORKGROUP) { slots[far_slot(open.far + i)] = near_key(i); }
    if (lane == 0u) { slots[far_slot(open.far + open.near)] = first_far; }
    queue.count = all_of(open);
    queue.free = open.near;
    queue.least = open.middle;
}

// Whether a step has room: while cells move between the parts a cell may have two slots.
fn has_room_for_step(open: OpenCells) -> bool { return has_room(2u * (all_of(open) + DIRECTIONS * EXPAND)); }

// The key of a near cell.
fn open_key(place: u32) -> vec4<u32> { return near_key(place); }

fn drop_first(number: u32) { near_top += number; }

// Makes the first middle or far cells near where no near cell is left.
fn draw_near(open: OpenCells, lane: u32) -> OpenCells {
    var now = open;
    if (open.near == 0u && has_more(open)) { now = refill(open, lane); }
    return now;
}

// Notes the cells of some lanes, behind those noted since `take_in_noted`; returns how many are noted.
fn note(open: OpenCells, noted: u32, opens: bool, key: vec4<u32>, lane: u32) -> u32 {
    var all = 0u;
    let rank = workgroup_prefix(lane, select(0u, 1u, opens), &all);
    if (opens) { noted_keys[noted + rank] = key; }
    return noted + all;
}

fn take_in_noted(open: OpenCells, noted: u32, lane: u32) -> OpenCells {
    workgroupBarrier();
    var now = open;
    for (var first = 0u; first < noted; first += WORKGROUP) {
        now = take_in(now, first, min(noted - first, WORKGROUP), lane);
    }
    return now;
}
