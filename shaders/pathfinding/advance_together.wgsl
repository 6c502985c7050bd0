// pathfinding/advance_together (as pathfinding/advance, for open lists that a workgroup adds to, one after the other)
// What: every thread makes a step of its search; then the workgroup puts what the threads have found in order.
// Reads: control, cells, searches. Writes: control, searches, paths; slots, messages, costs, works, of this workgroup only.
// Afterwards: as after pathfinding/advance.

import package::lib::control::{control};
import package::pathfinding::ground::{parameters};
import package::pathfinding::step::{has_room, step};
import package::pathfinding::turns::{begin, end};
import package::pathfinding::works::{close_work, open_work, work};
import package::pending::circular_parallel::{settle};
import package::pending::queue::{open_queue, queue, queue_header};
import constants::{EXPAND, WORKGROUP};
import word64::{wide, wide_less};
import workgroup::{workgroup_prefix};

// An open list with cells behind its ring.
struct Unsettled {
    thread: u32,
    header: vec4<u32>,
}

var<workgroup> unsettled: array<Unsettled, WORKGROUP>;

fn run(group: u32, lane: u32) {
    let thread = group * WORKGROUP + lane;
    let goes = thread < parameters.threads && wide_less(wide(0u, 0u), control.limit);
    if (goes) { open_work(thread); }
    var expanded = 0u;
    for (var turn = 0u; turn < parameters.expansions; turn += EXPAND) {
        if (goes) { expanded += advance(); }
        settle_all(goes, lane);
    }
    if (goes) {
        close_work();
        atomicAdd(&control.selected, expanded);
    }
}

// How many cells it has expanded.
fn advance() -> u32 {
    if (work.search == 0u) {
        begin();
        return 0u;
    }
    let full = !has_room();
    var number = 0u;
    if (!full) { number = step(); }
    if (number == 0u) { end(full); }
    return number;
}

fn settle_all(goes: bool, lane: u32) {
    let own = queue;
    let waits = goes && queue.free != 0u;
    var count = 0u;
    let place = workgroup_prefix(lane, select(0u, 1u, waits), &count);
    if (waits) { unsettled[place] = Unsettled(work.thread, queue_header()); }
    storageBarrier();
    for (var number = 0u; number < count; number += 1u) {
        let its = workgroupUniformLoad(&unsettled[number]);
        open_queue(its.thread, parameters.slots, its.header);
        settle(its.header.y, its.header.z, lane);
    }
    storageBarrier();
    queue = own;
    queue.free = 0u;
}
