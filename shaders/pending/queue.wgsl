// pending/queue: what every set of pending events has: slots in one buffer, and a header of one word of 16 bytes that the
// model keeps. A thread is at work on one set at a time. A set is one file that defines
//
//   SLOT_WORDS, SPARE       words of 16 bytes in a slot; slots that hold no event
//   first_time()            the time of the earliest event, or never()
//   pop()                   takes the earliest event out of a set that has one
//   insert(event)           false where there is no room: then nothing has changed
//   take_in(messages)       takes in a list of messages, see pending/messages; returns those for which there is no room
//
// A set without order (pending/unsorted) has neither pop nor take_in: processes/order_imminent takes its events out.
// Reads and writes: slots, of this set only.

import set::{SLOT_WORDS, SPARE};

var<storage, read_write> slots: array<vec4<u32>>;

struct Queue {
    base: u32,            // the first slot of the set
    size: u32,            // slots of the set
    top: u32,             // where the set begins: a place in a ring, or a root
    count: u32,           // events
    free: u32,            // of a tree: slots that events have left; of a ring that a workgroup has: events without order; of
                          // pathfinding/near_far: near cells
    least: u32,           // of a tree: the earliest event; of pathfinding/near_far: middle cells
}

var<private> queue: Queue;

// Sets of equal size lie one behind the other.
fn open_queue(number: u32, size: u32, header: vec4<u32>) {
    queue = Queue(number * size, size, header.x, header.y, header.z, header.w);
}

fn queue_header() -> vec4<u32> { return vec4<u32>(queue.top, queue.count, queue.free, queue.least); }
fn room() -> u32 { return queue.size - SPARE; }
fn key_at(slot: u32) -> vec4<u32> { return slots[slot * SLOT_WORDS]; }
