// pending/circular_single_pass: a sorted ring that takes in a list of messages by one pass: the list is sorted, the latest
// first, and merged into the ring from its end, so that an event in the ring moves once at most.
// Reads: messages. Writes: slots.

import package::pending::messages::{message_at};
import package::pending::order::{precedes};
import package::pending::queue::{queue, room};
import package::pending::ring::{ring_slot};
import package::pending::sorted_list::{sorted_length, sorted_list};
import events::{event_at, event_of, put_event};

fn take_in(list: u32) -> u32 {
    var link = sorted_list(list);
    if (sorted_length > room() - queue.count) { return link; }
    var place = queue.count;                    // behind the events that may still move
    var free_place = place + sorted_length;     // behind the free slots
    queue.count = free_place;
    while (link != 0u) {
        let message = message_at(link);
        while (place != 0u) {
            let other = event_at(ring_slot(place - 1u));
            if (precedes(other.key, message.key)) { break; }
            place -= 1u;
            free_place -= 1u;
            put_event(ring_slot(free_place), other);
        }
        free_place -= 1u;
        put_event(ring_slot(free_place), event_of(message));
        link = message.rest.x;
    }
    return 0u;
}
