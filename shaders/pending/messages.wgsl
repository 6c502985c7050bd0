// pending/messages: events on their way, in records of 32 bytes: the key; a link, and what the event carries. A link is
// the number of a message plus 1; 0 is none. The messages to one process are a list, in no particular order.
// Reads and writes: messages, of this list only.

var<storage, read_write> messages: array<vec4<u32>>;

struct Message {
    key: vec4<u32>,
    rest: vec4<u32>,      // link, and three words
}

fn message_at(link: u32) -> Message { return Message(messages[2u * link - 2u], messages[2u * link - 1u]); }
fn message_key(link: u32) -> vec4<u32> { return messages[2u * link - 2u]; }
fn message_link(link: u32) -> u32 { return messages[2u * link - 1u].x; }
fn set_message_link(link: u32, next: u32) { messages[2u * link - 1u].x = next; }

// How many messages a list has.
fn messages_in(list: u32) -> u32 {
    var number = 0u;
    for (var link = list; link != 0u; link = message_link(link)) { number += 1u; }
    return number;
}
