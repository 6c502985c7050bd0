// processes/enqueue (part 2 of a round; and, where AGAIN says so, once before the first round and after the sets have got
//                    more room; one thread a process, one workgroup a block of BLOCK processes)
// What: takes the messages in each inbox into the set of pending events of its process.
// Reads: control, next_event. Writes: control, summaries, next_event, processes, slots, messages, inboxes.
// Afterwards: no event of a block lies before the minimum of the block. A set without enough room has left messages in its
//             inbox, and control.room is the number of slots that the fullest set needs: no round begins before sets have
//             it.

import package::engine::schedule::{next_event};
import package::lib::summaries::{BLOCK};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_minimum};
import package::processes::finish::{finish, goes_on, take_inbox};
import package::processes::records::{inbox_of, inboxes, parameters};
import constants::{WORKGROUP};
import set::{first_time};

fn run(block: u32, lane: u32) {
    let running = goes_on();
    var least = never();
    if (running) {
        for (var place = lane; place < BLOCK; place += WORKGROUP) {
            let id = block * BLOCK + place;
            if (id >= parameters.processes) { break; }
            least = wide_minimum(least, earliest_of(id));
        }
    }
    finish(block, lane, least, running);
}

fn earliest_of(id: u32) -> Time {
    let list = atomicLoad(&inboxes[inbox_of(id)]);
    if (list == 0u) { return next_event[id]; }
    take_inbox(id, list);
    let time = first_time();
    next_event[id] = time;
    return time;
}
