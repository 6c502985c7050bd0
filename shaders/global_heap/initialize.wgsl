// global_heap/initialize (once, in a program of its own; one thread a process)
// What: makes the state of a process at time 0: it calls the model's `start(id, stream)`, which plans its first events.
// Reads: parameters. Writes: processes, keys, cargo.
// Afterwards: inboxes are empty; the first events lie process after process, with empty ones among them.

import package::global_heap::events::{keys, none};
import package::global_heap::post::{planned};
import package::lib::stream::{entity_stream};
import package::processes::records::{Process, close_process, parameters, process};
import package::processes::send::{culprit, failed};
import constants::{WORKGROUP};
import model::{start};
import word64::{wide};

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= parameters.processes) { return; }
    process = Process(id, wide(0u, 0u), wide(0u, 0u), 0u, 0u);
    failed = false;
    planned = 0u;
    var stream = entity_stream(parameters.key, id);
    start(id, &stream);
    for (var i = planned; i < parameters.slots; i += 1u) { keys[id * parameters.slots + i] = none(); }
    if (failed) { stream.state = culprit; }
    close_process(stream.state);
}
