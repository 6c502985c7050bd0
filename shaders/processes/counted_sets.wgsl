// processes/counted_sets: each process has a set of pending events of its own, to which others add: `inboxes` says how many
// events it has. Of its record the word for a set says what is imminent: first, how many, and how many messages it sent for
// which there was no room.
// Reads: parameters. Reads and writes: inboxes.

import package::pending::queue::{open_queue, queue};
import package::processes::records::{inbox_of, inboxes, parameters};

// For how many events a set has room.
fn set_room() -> u32 { return parameters.slots / 2u; }

fn open_pending(id: u32) {
    open_queue(id, parameters.slots, vec4<u32>(0u, min(atomicLoad(&inboxes[inbox_of(id)]), set_room()), 0u, 0u));
}

fn close_pending(id: u32) { atomicStore(&inboxes[inbox_of(id)], queue.count); }
