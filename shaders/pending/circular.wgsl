// pending/circular: a sorted ring into which events are inserted from its end, or where FROM_FRONT says so from its
// beginning: those on that side of the new one move on by a slot.
// Reads and writes: slots.

import package::pending::order::{precedes};
import package::pending::queue::{queue, room};
import package::pending::ring::{ring_slot};
import constants::{FROM_FRONT};
import events::{Event, event_at, put_event};

fn insert(event: Event) -> bool {
    if (queue.count >= room()) { return false; }
    if (FROM_FRONT) { insert_from_front(event); } else { insert_from_back(event); }
    queue.count += 1u;
    return true;
}

fn insert_from_back(event: Event) {
    var place = queue.count;
    while (place != 0u) {
        let other = event_at(ring_slot(place - 1u));
        if (precedes(other.key, event.key)) { break; }
        put_event(ring_slot(place), other);
        place -= 1u;
    }
    put_event(ring_slot(place), event);
}

fn insert_from_front(event: Event) {
    queue.top = select(queue.top, queue.size, queue.top == 0u) - 1u;
    var place = 0u;
    while (place != queue.count) {
        let other = event_at(ring_slot(place + 1u));
        if (precedes(event.key, other.key)) { break; }
        put_event(ring_slot(place), other);
        place += 1u;
    }
    put_event(ring_slot(place), event);
}
