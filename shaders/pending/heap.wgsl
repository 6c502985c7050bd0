// pending/heap: a set of pending events as an implicit heap (Williams 1964), of pairs (pending/heap_pairs) or of fours
// (pending/heap_fours): a place has two or four children, which lie in one sector of memory or two: the first slots are
// spare.
// Reads and writes: slots.

import package::lib::time::{Time, never};
import package::pending::order::{precedes, time_of};
import package::pending::queue::{key_at, queue, room};
import arity::{HEAP_ARITY, least_from};
import events::{EVENT_WORDS, Event, event_at, put_event};

const SLOT_WORDS: u32 = EVENT_WORDS;
const SPARE: u32 = 3u;

// An event and its place in the heap.
struct Placed {
    place: u32,
    event: Event,
}

fn heap_slot(place: u32) -> u32 { return queue.base + SPARE + place; }

// The event at a place, or the last event where the place is behind it.
fn placed(place: u32) -> Placed {
    let there = min(place, queue.count - 1u);
    return Placed(there, event_at(heap_slot(there)));
}

fn earlier(a: Placed, b: Placed) -> Placed {
    if (precedes(b.event.key, a.event.key)) { return b; }
    return a;
}

fn first_time() -> Time {
    if (queue.count == 0u) { return never(); }
    return time_of(key_at(heap_slot(0u)));
}

fn insert(event: Event) -> bool {
    if (queue.count >= room()) { return false; }
    var place = queue.count;
    queue.count += 1u;
    while (place != 0u) {
        let above = (place - 1u) / HEAP_ARITY;
        let other = event_at(heap_slot(above));
        if (precedes(other.key, event.key)) { break; }
        put_event(heap_slot(place), other);
        place = above;
    }
    put_event(heap_slot(place), event);
    return true;
}

fn pop() -> Event {
    let first = event_at(heap_slot(0u));
    queue.count -= 1u;
    let last = event_at(heap_slot(queue.count));
    var place = 0u;
    loop {
        let below = HEAP_ARITY * place + 1u;
        if (below >= queue.count) { break; }
        let least = least_from(below);
        if (precedes(last.key, least.event.key)) { break; }
        put_event(heap_slot(place), least.event);
        place = least.place;
    }
    put_event(heap_slot(place), last);
    return first;
}
