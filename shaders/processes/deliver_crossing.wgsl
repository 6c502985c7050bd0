// processes/deliver_crossing (part 3 of a round, for sets without order on several GPUs; a workgroup takes PARTS rows)
// What: puts every message in a row of processes/crossing into the set of its destination.
// Reads: control, parameters, crossing. Writes: control, slots, inboxes.
// Afterwards: as after processes/execute_imminent on one GPU, except that messages without room are still in their row.

import package::lib::control::{control};
import package::processes::counted_sets::{set_room};
import package::processes::crossing::{crossing, key_word, part_of, rest_word, row_of};
import package::processes::records::{inbox_of, inboxes, parameters};
import constants::{BLOCKS, PARTS, WORKGROUP};
import events::{new_event, put_event};

fn run(block: u32, lane: u32) {
    if (control.running == 0u) { return; }
    let part = part_of(block);
    // The rows of a part are shared among its blocks.
    let first = (part * BLOCKS + PARTS - 1u) / PARTS;
    let behind = ((part + 1u) * BLOCKS + PARTS - 1u) / PARTS;
    for (var sender = block - first; sender < BLOCKS; sender += behind - first) {
        let row = row_of(sender, part);
        let count = crossing[row].x;
        for (var place = lane; place < count; place += WORKGROUP) {
            deliver(crossing[key_word(row, place)], crossing[rest_word(row, place)]);
        }
    }
}

// `rest` is the destination and what the message carries.
fn deliver(key: vec4<u32>, rest: vec4<u32>) {
    let place = atomicAdd(&inboxes[inbox_of(rest.x)], 1u);
    if (place < set_room()) {
        put_event(rest.x * parameters.slots + place, new_event(key, vec4<u32>(rest.y, rest.z, rest.w, 0u)));
    } else {
        atomicMax(&control.room, place + 1u);
    }
}
