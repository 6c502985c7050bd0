// processes/import (between rounds of a block of the processes; a thread takes several messages)
// What: the messages that have come from other ranks lie behind all outboxes, in the words that ranks send each other
//       (src/processes/post.rs). Each is pushed into the inbox of its process.
// Reads: control, parameters. Writes: messages, inboxes.
// Afterwards: they lie there as messages of the own rank do, and processes/enqueue with AGAIN takes them in.

import package::lib::control::{control};
import package::pending::messages::{messages};
import package::processes::records::{inbox_of, inboxes, parameters};
import constants::{IMPORT_THREADS, WORKGROUP};

fn run(group: u32, lane: u32) {
    for (var i = group * WORKGROUP + lane; i < control.model.imports; i += IMPORT_THREADS) {
        let number = parameters.border + i;
        let first = messages[2u * number];
        let rest = messages[2u * number + 1u];
        let link = atomicExchange(&inboxes[inbox_of(first.w - parameters.first)], number + 1u);
        messages[2u * number] = vec4<u32>(first.x, first.y, first.z, rest.y);
        messages[2u * number + 1u] = vec4<u32>(link, rest.x, rest.w, rest.z);
    }
}
