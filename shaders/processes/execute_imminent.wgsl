// processes/execute_imminent (part 2 of a round, for sets without order; and, where AGAIN says so, once before the first round
//                    and after the sets have got more room; one thread a process, one workgroup a block of BLOCK processes)
// What: every process executes the events that processes/order_imminent has put in order: it calls the model's `execute(event,
//       stream)`, which sends messages. It stops where there is no room for a message.
// Reads: control, next_event. Writes: control, summaries, processes, slots, messages, inboxes; of several parts crossing.
// Afterwards: no event of a block, and no message of its processes, lies before the minimum of the block. Where there was no
//             room, a process keeps the events not executed, control.room is not 0, and the host counts the room needed.

import package::engine::schedule::{next_event};
import package::lib::control::{control};
import package::lib::pcg32::{Stream};
import package::lib::stream::{entity_increment};
import package::lib::summaries::{BLOCK, summaries};
import package::lib::time::{never};
import package::lib::wide::{wide_minimum};
import package::pending::order::{time_of};
import package::processes::counted_sets::{set_room};
import package::processes::deliver::{earliest_sent, last_sent, put_last, undelivered};
import package::processes::records::{close_process, open_process, parameters, process, processes};
import package::processes::send::{culprit, failed, sent_before};
import constants::{AGAIN, WORKGROUP};
import crossing::{begin_rows, end_rows};
import events::{event_at};
import model::{execute};
import word64::{wide, wide_add};
import workgroup::{workgroup_minimum, workgroup_sum};

fn run(block: u32, lane: u32) {
    let running = AGAIN || control.running != 0u;
    var executed = 0u;
    var least = never();
    earliest_sent = never();
    begin_rows(block, lane);
    for (var place = lane; running && place < BLOCK; place += WORKGROUP) {
        let id = block * BLOCK + place;
        if (id >= parameters.processes) { break; }
        least = wide_minimum(least, next_event[id]);
        if (!AGAIN) { executed += execute_all(id); }
    }
    let all = workgroup_sum(lane, executed);
    let earliest = workgroup_minimum(lane, wide_minimum(least, earliest_sent));
    if (running && !AGAIN) { end_rows(lane); }
    if (lane != 0u || !running || block >= control.blocks) { return; }
    summaries[block] = earliest;
    if (all != 0u) { atomicAdd(&control.selected, all); }
    if (block == 0u && !AGAIN) { control.finished = control.round; }
}

// Executes all imminent events of a process; returns how many.
fn execute_all(id: u32) -> u32 {
    let number = processes[3u * id].y;
    if (number == 0u) { return 0u; }
    var stream = Stream(open_process(id), entity_increment(parameters.key, id));
    let first = id * parameters.slots + set_room();
    failed = false;
    undelivered = 0u;
    last_sent.is_there = false;
    var executed = 0u;
    var following = event_at(first);
    while (executed < number && !failed && undelivered == 0u) {
        let event = following;
        executed += 1u;
        // The next event is loaded while this one is executed.
        following = event_at(first + min(executed, number - 1u));
        process.now = time_of(event.key);
        sent_before = process.sent;
        execute(event, &stream);
    }
    put_last();
    if (failed) {
        stream.state = culprit;
    } else {
        process.executed = wide_add(process.executed, wide(executed, 0u));
    }
    close_process(stream.state);
    processes[3u * id] = vec4<u32>(executed, number - executed, undelivered, 0u);
    return executed;
}
