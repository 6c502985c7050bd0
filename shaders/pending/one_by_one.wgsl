// pending/one_by_one: a list of messages goes into a set event by event.
// Reads: messages. Writes: slots.

import package::pending::messages::{Message, message_at};
import events::{event_of};
import insertion::{insert};

fn take_in(list: u32) -> u32 {
    var link = list;
    var message = Message();
    if (link != 0u) { message = message_at(link); }
    while (link != 0u) {
        // The next message is loaded while this one finds its place.
        let next = message.rest.x;
        var following = message;
        if (next != 0u) { following = message_at(next); }
        if (!insert(event_of(message))) { break; }
        link = next;
        message = following;
    }
    return link;
}
