// pending/ring_from_heap: puts the events of a heap in order, where they are (heapsort), and makes a ring of them, which is
// any other heap, too.
// Reads and writes: slots.

fn convert() {
    let count = queue.count;
    // What is taken out goes to the place that it leaves free: the latest comes to lie first.
    while (queue.count != 0u) {
        let place = queue.count - 1u;
        let event = pop();
        put_event(heap_slot(place), event);
    }
    for (var place = 0u; place < count / 2u; place += 1u) {
        let other = count - 1u - place;
        let event = event_at(heap_slot(place));
        put_event(heap_slot(place), event_at(heap_slot(other)));
        put_event(heap_slot(other), event);
    }
    queue.count = count;
    queue.top = SPARE;
}
