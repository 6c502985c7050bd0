// processes/alone_outbox: processes/outbox for a workgroup that has all processes: their inboxes are in its memory.
// Reads: parameters. Writes: messages.

import package::lib::summaries::{BLOCK};
import package::pending::messages::{messages};
import package::processes::records::{parameters, process};

var<workgroup> inbox: array<atomic<u32>, BLOCK>;
var<workgroup> receiving: array<u32, BLOCK>;       // processes with messages
var<workgroup> counts: array<atomic<u32>, 2>;      // processes with imminent events; processes with messages

var<private> outbox_used: u32;

fn post(destination: u32, key: vec4<u32>, carried: vec4<u32>) {
    let number = process.id * parameters.outbox + outbox_used;
    outbox_used += 1u;
    let link = atomicExchange(&inbox[destination], number + 1u);
    if (link == 0u) { receiving[atomicAdd(&counts[1], 1u)] = destination; }
    messages[2u * number] = key;
    messages[2u * number + 1u] = vec4<u32>(link, carried.x, carried.y, carried.z);
}
