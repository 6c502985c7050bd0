// processes/execute (part 1 of a round; one thread a process, one workgroup a block of BLOCK processes)
// What: every process executes its events before the bound, in order: it calls the model's `execute(event, stream)`, which
//       sends messages. It stops sooner where its outbox might overflow or it has executed as many events as it may.
// Reads: control, summaries, next_event. Writes: control, next_event, processes, slots, messages, inboxes.
// Afterwards: the earliest event left in a set is in next_event; sent messages are in inboxes. A round without work
//             changes nothing.

import package::engine::schedule::{next_event};
import package::lib::control::{control};
import package::lib::pcg32::{Stream};
import package::lib::stream::{entity_increment};
import package::lib::summaries::{BLOCK};
import package::lib::time::{Time};
import package::processes::records::{close_process, open_process, parameters, process};
import package::processes::round::{earliest_event, hindered, round_bound, write_down};
import package::processes::send::{culprit, failed, sent_before};
import constants::{WORKGROUP};
import model::{execute};
import outgoing::{outbox_used};
import set::{first_time, pop};
import sets::{close_pending, open_pending};
import word64::{wide, wide_add, wide_less};
import workgroup::{workgroup_sum};

fn run(block: u32, lane: u32) {
    let earliest = earliest_event(lane);
    let is_hindered = hindered();
    let bound = round_bound(earliest, is_hindered);
    if (block == 0u && lane == 0u) { write_down(earliest, bound, is_hindered); }
    var executed = 0u;
    for (var place = lane; place < BLOCK; place += WORKGROUP) {
        let id = block * BLOCK + place;
        if (id >= parameters.processes) { break; }
        if (wide_less(next_event[id], bound)) { executed += execute_before(bound, id); }
    }
    let all = workgroup_sum(lane, executed);
    if (lane == 0u && all != 0u) { atomicAdd(&control.selected, all); }
}

// Executes events of a process before the bound; returns how many.
fn execute_before(bound: Time, id: u32) -> u32 {
    open_pending(id);
    var stream = Stream(open_process(id), entity_increment(parameters.key, id));
    let last = parameters.outbox - parameters.most_sent;
    outbox_used = 0u;
    failed = false;
    var executed = 0u;
    var time = first_time();
    while (wide_less(time, bound) && executed < parameters.events && outbox_used <= last) {
        let event = pop();
        process.now = time;
        sent_before = process.sent;
        execute(event, &stream);
        executed += 1u;
        if (failed) { break; }
        time = first_time();
    }
    next_event[id] = time;
    if (failed) {
        stream.state = culprit;
    } else {
        process.executed = wide_add(process.executed, wide(executed, 0u));
    }
    close_process(stream.state);
    close_pending(id);
    return executed;
}
