// pending/unsorted: a set of pending events in no order, in the first half of its slots. At the beginning of a round
// processes/order_imminent moves the imminent events, in order, into the other half.
// Reads and writes: slots.

import package::lib::time::{Time, never};
import package::lib::wide::{wide_minimum};
import package::pending::order::{time_of};
import package::pending::queue::{key_at, queue};
import events::{EVENT_WORDS, Event, put_event};

const SLOT_WORDS: u32 = EVENT_WORDS;
const SPARE: u32 = 0u;

fn first_time() -> Time {
    var earliest = never();
    for (var place = 0u; place < queue.count; place += 1u) {
        earliest = wide_minimum(earliest, time_of(key_at(queue.base + place)));
    }
    return earliest;
}

fn insert(event: Event) -> bool {
    if (queue.count >= queue.size / 2u) { return false; }
    put_event(queue.base + queue.count, event);
    queue.count += 1u;
    return true;
}
