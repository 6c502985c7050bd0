// pending/heap_from_ring: turns a ring so far that it begins behind the spare slots: events in order are a heap.
// Reads and writes: slots.

fn convert() {
    let distance = select(queue.top, queue.top + queue.size, queue.top < SPARE) - SPARE;
    if (distance == 0u) { return; }
    reverse(0u, distance);
    reverse(distance, queue.size);
    reverse(0u, queue.size);
    queue.top = 0u;
}

// The slots from `begin` on and before `end`.
fn reverse(begin: u32, end: u32) {
    var low = queue.base + begin;
    var high = queue.base + end;
    while (low + 1u < high) {
        high -= 1u;
        let event = event_at(low);
        put_event(low, event_at(high));
        put_event(high, event);
        low += 1u;
    }
}
