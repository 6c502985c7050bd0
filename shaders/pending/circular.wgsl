// pending/circular: a sorted ring into which events are inserted from its end: the events behind a new one move on by a
// slot.
// Reads and writes: slots.

import package::pending::order::{precedes};
import package::pending::queue::{queue, room};
import package::pending::ring::{ring_slot};
import events::{Event, event_at, put_event};

fn insert(event: Event) -> bool {
    if (queue.count >= room()) { return false; }
    var place = queue.count;
    while (place != 0u) {
        let other = event_at(ring_slot(place - 1u));
        if (precedes(other.key, event.key)) { break; }
        put_event(ring_slot(place), other);
        place -= 1u;
    }
    put_event(ring_slot(place), event);
    queue.count += 1u;
    return true;
}
