// pending/carrying: events that carry three words of the user's model: two words of 16 bytes each.
// Reads and writes: slots, messages.

import package::pending::messages::{Message};
import package::pending::queue::{slots};
import set::{SLOT_WORDS};

const EVENT_WORDS: u32 = 2u;

struct Event {
    key: vec4<u32>,
    carried: vec4<u32>,   // the last word is unused
}

fn new_event(key: vec4<u32>, carried: vec4<u32>) -> Event { return Event(key, carried); }
fn carried_by(event: Event) -> vec4<u32> { return event.carried; }

fn event_at(slot: u32) -> Event { return Event(slots[slot * SLOT_WORDS], slots[slot * SLOT_WORDS + 1u]); }

fn put_event(slot: u32, event: Event) {
    slots[slot * SLOT_WORDS] = event.key;
    slots[slot * SLOT_WORDS + 1u] = event.carried;
}

// A message has its link in front.
fn event_of(message: Message) -> Event {
    return Event(message.key, vec4<u32>(message.rest.y, message.rest.z, message.rest.w, 0u));
}
