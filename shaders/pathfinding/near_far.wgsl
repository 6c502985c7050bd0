// pathfinding/near_far: the open cells of a workgroup's search in two parts. The near ones lie in order in workgroup memory;
// the far ones, all behind them, in the slots as they came. Where no near cell is left, the first of the far ones become near.
// The two parts are those of Davidson, Baxter, Garland, Owens: Work-efficient parallel GPU methods for single-source shortest
// paths, IPDPS 2014; there both are without order.
// Reads and writes: slots, workgroup memory.

import package::pathfinding::near::{DRAWN, first_far, near_key, near_keys, near_top, noted_keys, take_in};
import package::pathfinding::open_cells::{OpenCells, all_of};
import package::pending::order::{precedes};
import package::pending::queue::{queue, slots};
import constants::{NEAR_ROOM, WORKGROUP};
import workgroup::{workgroup_prefix};

// How many there are at the beginning of a round or of a search. Behind the far ones lie the near ones.
fn listed() -> OpenCells { return OpenCells(queue.free, queue.count - queue.free); }

// Before the first step of a round.
fn load_near(open: OpenCells, lane: u32) {
    near_top = 0u;
    for (var i = lane; i < open.near; i += WORKGROUP) { near_keys[i] = slots[queue.base + open.far + i]; }
    if (lane == 0u) {
        first_far = vec4<u32>(select(0xffffffffu, 0u, open.far != 0u));
        if (open.near != 0u && open.far != 0u) { first_far = slots[queue.base + all_of(open) - 1u]; }
    }
    workgroupBarrier();
}

// At the end of a round.
fn store_near(open: OpenCells, lane: u32) {
    for (var i = lane; i < open.near; i += WORKGROUP) { slots[queue.base + open.far + i] = near_key(i); }
    queue.count = all_of(open);
    queue.free = open.near;
}

// The key of a near cell.
fn open_key(place: u32) -> vec4<u32> { return near_key(place); }

fn drop_first(number: u32) { near_top += number; }

// Makes the first of the far cells near where no cell is. What stays far moves down among the slots.
fn draw_near(open: OpenCells, lane: u32) -> OpenCells {
    if (open.near != 0u || open.far == 0u) { return open; }
    storageBarrier();
    choose_first_far(open.far, lane);
    var drawn = OpenCells(0u, 0u);
    var noted = 0u;
    for (var first = 0u; first < open.far; first += DRAWN * WORKGROUP) {
        var keys: array<vec4<u32>, DRAWN>;
        var number = 0u;
        for (var i = 0u; i < DRAWN; i += 1u) {
            let place = first + i * WORKGROUP + lane;
            if (place < open.far) {
                keys[i] = slots[queue.base + place];
                number += select(0x10000u, 1u, precedes(keys[i], first_far));
            }
        }
        // Until they are read no other cell goes where they lie.
        storageBarrier();
        var all = 0u;
        let before = workgroup_prefix(lane, number, &all);
        var coming = noted + (before & 0xffffu);
        var far = queue.base + drawn.far + (before >> 16u);
        for (var i = 0u; i < DRAWN; i += 1u) {
            if (first + i * WORKGROUP + lane >= open.far) { continue; }
            if (precedes(keys[i], first_far)) {
                noted_keys[coming] = keys[i];
                coming += 1u;
            } else {
                slots[far] = keys[i];
                far += 1u;
            }
        }
        noted += all & 0xffffu;
        drawn.far += all >> 16u;
        if (noted >= WORKGROUP || open.far - first <= DRAWN * WORKGROUP) {
            drawn = take_in_noted(drawn, noted, lane);
            noted = 0u;
        }
    }
    return drawn;
}

// Of a sample of the far cells, put in order, one that about half the room is before, or more where they are very many; at
// least one cell is.
fn choose_first_far(far: u32, lane: u32) {
    if (lane == 0u) { first_far = vec4<u32>(0xffffffffu); }
    workgroupBarrier();
    if (far <= NEAR_ROOM) { return; }
    let samples = min(NEAR_ROOM, far / 8u + WORKGROUP);
    var sample = OpenCells(0u, 0u);
    while (sample.near < samples) {
        let length = min(samples - sample.near, WORKGROUP);
        if (lane < length) { noted_keys[lane] = slots[queue.base + (sample.near + lane) * (far / samples)]; }
        sample = take_in(sample, 0u, length, lane);
    }
    if (lane == 0u) { first_far = near_key(max(1u, samples * (NEAR_ROOM / 2u) / far)); }
    workgroupBarrier();
}

// Takes note of the cells of some lanes, behind those that have been noted since `take_in_noted`; how many there are then.
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
