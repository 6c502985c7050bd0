// pending/heap: a set of pending events as an implicit binary heap (Williams 1964). The two below a place lie in one
// sector of memory: the first slot is spare.
// Reads and writes: slots.

const SLOT_WORDS: u32 = EVENT_WORDS;
const SPARE: u32 = 1u;

fn heap_slot(place: u32) -> u32 { return queue.base + SPARE + place; }

fn first_time() -> Time {
    if (queue.count == 0u) { return never(); }
    return time_of(key_at(heap_slot(0u)));
}

fn insert(event: Event) -> bool {
    if (queue.count >= room()) { return false; }
    var place = queue.count;
    queue.count += 1u;
    while (place != 0u) {
        let above = (place - 1u) / 2u;
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
        let left = 2u * place + 1u;
        if (left >= queue.count) { break; }
        // Where there is no other it is the same.
        let right = min(left + 1u, queue.count - 1u);
        var below = event_at(heap_slot(left));
        let other = event_at(heap_slot(right));
        var least = left;
        if (precedes(other.key, below.key)) {
            below = other;
            least = right;
        }
        if (precedes(last.key, below.key)) { break; }
        put_event(heap_slot(place), below);
        place = least;
    }
    put_event(heap_slot(place), last);
    return first;
}
