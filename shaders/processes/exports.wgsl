// processes/exports: processes/outbox for a block of the processes. What goes to a process of another rank lies behind all
// outboxes, in the words that ranks send each other (src/processes/post.rs), so that the host need only fetch it. It takes a
// place of its sender's outbox, too, which stays empty: so there is room for all that a round sends.
// Reads: parameters. Writes: messages, inboxes, control.

import package::lib::control::{control};
import package::pending::messages::{messages};
import package::processes::records::{inbox_of, inboxes, parameters, process};

var<private> outbox_used: u32;

fn post(destination: u32, key: vec4<u32>, carried: vec4<u32>) {
    let number = (process.id - parameters.first) * parameters.outbox + outbox_used;
    outbox_used += 1u;
    // Ids before the first come round to large numbers.
    let place = destination - parameters.first;
    if (place < parameters.own) {
        let link = atomicExchange(&inboxes[inbox_of(place)], number + 1u);
        messages[2u * number] = key;
        messages[2u * number + 1u] = vec4<u32>(link, carried.x, carried.y, carried.z);
        return;
    }
    let beyond = parameters.border + atomicAdd(&control.model.exports, 1u);
    messages[2u * beyond] = vec4<u32>(key.x, key.y, key.z, destination);
    messages[2u * beyond + 1u] = vec4<u32>(carried.x, key.w, carried.z, carried.y);
}
