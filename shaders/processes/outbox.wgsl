// processes/outbox: the messages of a round lie in a part of the buffer for each process, and are pushed into the inboxes
// of their destinations. The order of an inbox decides nothing.
// Reads: parameters. Writes: messages, inboxes.

import package::pending::messages::{messages};
import package::processes::records::{inbox_of, inboxes, parameters, process};

var<private> outbox_used: u32;

fn post(destination: u32, key: vec4<u32>, carried: vec4<u32>) {
    let number = process.id * parameters.outbox + outbox_used;
    outbox_used += 1u;
    let link = atomicExchange(&inboxes[inbox_of(destination)], number + 1u);
    messages[2u * number] = key;
    messages[2u * number + 1u] = vec4<u32>(link, carried.x, carried.y, carried.z);
}
