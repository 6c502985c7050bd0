// processes/counted_sets: each process has a set of pending events of its own, to which other processes add: `inboxes` has
// the number of its events. The word of a process's record that is the header of other sets says here: the first imminent
// event, the number of imminent events, and of messages that it sent for which there was no room.
// Reads: parameters. Reads and writes: inboxes.

import package::pending::queue::{open_queue, queue};
import package::processes::records::{inbox_of, inboxes, parameters};

// The number of events for which a set has room.
fn set_room() -> u32 { return parameters.slots / 2u; }

fn open_pending(id: u32) {
    open_queue(id, parameters.slots, vec4<u32>(0u, min(atomicLoad(&inboxes[inbox_of(id)]), set_room()), 0u, 0u));
}

fn close_pending(id: u32) { atomicStore(&inboxes[inbox_of(id)], queue.count); }
