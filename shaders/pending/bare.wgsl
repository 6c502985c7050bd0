// pending/bare: events that carry nothing but their key: one word of 16 bytes each.
// Reads and writes: slots, messages.

import package::pending::messages::{Message};
import package::pending::queue::{slots};
import set::{SLOT_WORDS};

const EVENT_WORDS: u32 = 1u;

struct Event {
    key: vec4<u32>,
}

fn new_event(key: vec4<u32>, carried: vec4<u32>) -> Event { return Event(key); }
fn carried_by(event: Event) -> vec4<u32> { return vec4<u32>(); }

fn event_at(slot: u32) -> Event { return Event(slots[slot * SLOT_WORDS]); }
fn put_event(slot: u32, event: Event) { slots[slot * SLOT_WORDS] = event.key; }
fn event_of(message: Message) -> Event { return Event(message.key); }
