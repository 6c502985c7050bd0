// pathfinding/whole_ring: the open cells of a workgroup's search in one sorted ring; all of them are near.
// Reads and writes: slots, workgroup memory.

import package::pathfinding::open_cells::{OpenCells};
import package::pathfinding::step::{has_room};
import package::pending::circular_parallel::{settle};
import package::pending::queue::{key_at, queue};
import package::pending::ring::{ring_slot};
import events::{new_event, put_event};
import workgroup::{workgroup_prefix};

// The open cells at the beginning of a round or of a search.
fn listed() -> OpenCells { return OpenCells(queue.count, 0u, 0u); }

// Before the first step of a round.
fn load_near(open: OpenCells, lane: u32) {}

// At the end of a round.
fn store_near(open: OpenCells, lane: u32) {
    queue.count = open.near;
    queue.free = 0u;
}

fn has_room_for_step(open: OpenCells) -> bool { return has_room(open.near); }

fn open_key(place: u32) -> vec4<u32> { return key_at(ring_slot(place)); }

fn drop_first(number: u32) {
    queue.top += number;
    if (queue.top >= queue.size) { queue.top -= queue.size; }
}

fn draw_near(open: OpenCells, lane: u32) -> OpenCells { return open; }

// Notes the cells of some lanes, behind those noted since `take_in_noted`; returns how many are noted.
fn note(open: OpenCells, noted: u32, opens: bool, key: vec4<u32>, lane: u32) -> u32 {
    var all = 0u;
    let rank = workgroup_prefix(lane, select(0u, 1u, opens), &all);
    // Noted cells lie behind the ring, where `settle` finds them.
    if (opens) { put_event(ring_slot(open.near + noted + rank), new_event(key, vec4<u32>())); }
    return noted + all;
}

fn take_in_noted(open: OpenCells, noted: u32, lane: u32) -> OpenCells {
    settle(open.near + noted, noted, lane);
    return OpenCells(open.near + noted, 0u, 0u);
}
