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
import package::processes::records::{inboxes, parameters};
import package::processes::sets::{close_pending, open_pending};
import constants::{WORKGROUP};

fn run(block: u32, lane: u32) {
    let running = goes_on();
    var least = never();
    let first = block * BLOCK;
    let end = select(first, min(first + BLOCK, parameters.processes), running);
    for (var id = first + lane; id < end; id += WORKGROUP) {
        let list = atomicLoad(&inboxes[id]);
        if (list != 0u) { take_inbox(id, list); }
    }
    storageBarrier();
    workgroupBarrier();
    for (var id = first; id < end; id += 1u) {
        open_pending(id);
        if (queue.free != 0u) {
            settle(lane);
            if (lane == 0u) {
                close_pending(id);
                next_event[id] = first_time();
            }
        }
    }
    storageBarrier();
    workgroupBarrier();
    for (var id = first + lane; id < end; id += WORKGROUP) { least = wide_minimum(least, next_event[id]); }
    finish(block, lane, least, running);
}
