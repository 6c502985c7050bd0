// pending/ring: a set of pending events in order in a ring of slots: the earliest is taken at the top. A ring has room
// for as many events as a heap in the same slots.
// Reads and writes: slots.

import package::lib::time::{Time, never};
import package::pending::order::{time_of};
import package::pending::queue::{key_at, queue};
import events::{EVENT_WORDS, Event, event_at};

const SLOT_WORDS: u32 = EVENT_WORDS;
const SPARE: u32 = 3u;

// The slot of the event at a place in the order; one place beyond either end is allowed.
fn ring_slot(place: u32) -> u32 {
    let at = queue.top + place;
    return queue.base + select(at, at - queue.size, at >= queue.size);
}

fn first_time() -> Time {
    if (queue.count == 0u) { return never(); }
    return time_of(key_at(ring_slot(0u)));
}

fn pop() -> Event {
    let first = event_at(ring_slot(0u));
    queue.top = select(queue.top + 1u, 0u, queue.top + 1u == queue.size);
    queue.count -= 1u;
    return first;
}
