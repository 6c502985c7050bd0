// processes/initialize (once; one thread a process)
// What: makes the state of a process at time 0: it calls the model's `start(id, stream)`, which plans its first events.
// Reads: parameters. Writes: next_event, processes, slots.
// Afterwards: inboxes are empty, and the earliest event of each process is in next_event.

import package::engine::schedule::{next_event};
import package::lib::stream::{entity_stream};
import package::pending::queue::{open_queue};
import package::processes::records::{Process, close_process, parameters, process};
import package::processes::send::{culprit, failed};
import constants::{WORKGROUP};
import model::{start};
import set::{first_time};
import sets::{close_pending};
import word64::{wide};

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= parameters.processes) { return; }
    open_queue(id, parameters.slots, vec4<u32>());
    process = Process(id, wide(0u, 0u), wide(0u, 0u), 0u, 0u);
    failed = false;
    var stream = entity_stream(parameters.key, id);
    start(id, &stream);
    next_event[id] = first_time();
    if (failed) { stream.state = culprit; }
    close_process(stream.state);
    close_pending(id);
}
