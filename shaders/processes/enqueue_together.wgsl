// processes/enqueue_together (as processes/enqueue, for sets that a workgroup adds to, one set after the other)
// What: takes the messages in each inbox into the set of pending events of its process.
// Reads: control, next_event. Writes: control, summaries, next_event, processes, slots, messages, inboxes.
// Afterwards: as after processes/enqueue.

import package::engine::schedule::{next_event};
import package::lib::summaries::{BLOCK};
import package::lib::time::{never};
import package::lib::wide::{wide_minimum};
import package::pending::circular_parallel::{settle};
import package::pending::queue::{queue};
import package::pending::ring::{first_time};
import package::processes::finish::{finish, goes_on, take_inbox};
import package::processes::records::{inbox_of, inboxes, parameters};
import constants::{WORKGROUP};
import sets::{close_pending, open_pending};
import workgroup::{workgroup_prefix};

// A set with messages behind its ring.
struct Unsettled {
    id: u32,
    count: u32,           // events of the set, with its messages
    free: u32,            // messages among them
}

var<workgroup> unsettled: array<Unsettled, WORKGROUP>;

fn run(block: u32, lane: u32) {
    let running = goes_on();
    var least = never();
    let first = block * BLOCK;
    let end = min(first + BLOCK, parameters.processes);
    for (var begin = first; begin < end; begin += WORKGROUP) {
        let count = take_inboxes(begin, end, lane, running);
        for (var number = 0u; number < count; number += 1u) { settle_set(workgroupUniformLoad(&unsettled[number]), lane); }
    }
    storageBarrier();
    for (var id = first + lane; running && id < end; id += WORKGROUP) { least = wide_minimum(least, next_event[id]); }
    finish(block, lane, least, running);
}

// Lists the sets of the next lanes that have got messages; returns how many.
fn take_inboxes(begin: u32, end: u32, lane: u32, running: bool) -> u32 {
    let id = begin + lane;
    var free = 0u;
    if (running && id < end) {
        let list = atomicLoad(&inboxes[inbox_of(id)]);
        if (list != 0u) {
            take_inbox(id, list);
            free = queue.free;
        }
    }
    var count = 0u;
    let place = workgroup_prefix(lane, select(0u, 1u, free != 0u), &count);
    if (free != 0u) { unsettled[place] = Unsettled(id, queue.count, free); }
    storageBarrier();
    return count;
}

fn settle_set(its: Unsettled, lane: u32) {
    open_pending(its.id);
    settle(its.count, its.free, lane);
    if (lane == 0u) {
        close_pending(its.id);
        next_event[its.id] = first_time();
    }
}
