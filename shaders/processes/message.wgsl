// processes/message: who sent the message that is an event.

import events::{Event};

// The sender; for an event at the start the process itself.
fn source_of(event: Event) -> u32 { return event.key.z; }

// The number of messages that the sender had sent before.
fn sequence_of(event: Event) -> u32 { return event.key.w; }
