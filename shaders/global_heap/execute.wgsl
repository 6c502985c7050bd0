// global_heap/execute (part 1 of a round; one thread a process, and behind these one thread an event of the odd levels)
// What: every process executes the events of its inbox in order, as many as it may: it calls the model's `execute(event,
//       stream)`, which sends messages. It looks for a few events at a time, the earliest, by their places in the root.
//       Meanwhile other threads make the steps that are due at odd levels.
// Reads: control, keys, cargo. Writes: control, processes, inboxes, keys, cargo, heap_words.
// Afterwards: inboxes are empty; messages and events not executed are in the places to be sorted.

import package::global_heap::areas::{STEPPING_AT, give_back, heap_words, leave_empty, node_area, sent_place};
import package::global_heap::events::{cargo, keys};
import package::global_heap::level::{one_step};
import package::global_heap::post::{sending_at, sent_by_event};
import package::lib::control::{control};
import package::lib::pcg32::{Stream};
import package::lib::stream::{entity_increment};
import package::pending::order::{time_of};
import package::processes::records::{close_process, inbox_of, inboxes, open_process, parameters, process};
import package::processes::send::{culprit, failed, sent_before};
import constants::{LEVELS, NODE, WORKGROUP};
import events::{Cargo, event_of};
import model::{execute};
import word64::{wide, wide_add};
import workgroup::{workgroup_sum};

const AT_A_TIME: u32 = 16u;
const NO_PLACE: u32 = 0xffffffffu;

var<workgroup> found: array<u32, WORKGROUP * AT_A_TIME>;

fn run(group: u32, lane: u32) {
    let executing = (parameters.processes + WORKGROUP - 1u) / WORKGROUP;
    let running = control.running != 0u;
    if (group == 0u && lane == 0u) { heap_words[STEPPING_AT] = control.running; }
    var executed = 0u;
    if (running && group < executing) {
        let id = group * WORKGROUP + lane;
        if (id < parameters.processes) { executed = execute_inbox(id, lane); }
    } else if (running) {
        let thread = (group - executing) * WORKGROUP + lane;
        if (thread < 3u * NODE * (LEVELS / 2u)) {
            one_step(2u * (thread / (3u * NODE)) + 1u, thread / NODE % 3u, thread % NODE);
        }
    }
    let all = workgroup_sum(lane, executed);
    if (lane == 0u && all != 0u) { atomicAdd(&control.selected, all); }
}

// Odd levels do not have the root.
fn at_root(place: u32, key: vec4<u32>, load: Cargo) {}

// Executes events of a process; returns how many.
fn execute_inbox(id: u32, lane: u32) -> u32 {
    let list = atomicLoad(&inboxes[inbox_of(id)]);
    if (list == 0u) { return 0u; }
    atomicStore(&inboxes[inbox_of(id)], 0u);
    var stream = Stream(open_process(id), entity_increment(parameters.key, id));
    failed = false;
    var executed = 0u;
    var begin = 0u;
    loop {
        let number = find_first(list, begin, lane);
        for (var i = 0u; i < number && executed < parameters.events && !failed; i += 1u) {
            begin = found[lane + WORKGROUP * i] + 1u;
            execute_at(begin - 1u, &stream);
            executed += 1u;
        }
        if (number < AT_A_TIME || executed == parameters.events || failed) { break; }
    }
    if (parameters.events != NO_PLACE) { give_back_behind(list, begin); }
    if (failed) {
        stream.state = culprit;
    } else {
        process.executed = wide_add(process.executed, wide(executed, 0u));
    }
    close_process(stream.state);
    return executed;
}

fn execute_at(place: u32, stream: ptr<function, Stream>) {
    let event = event_of(keys[node_area(0u) + place], cargo[node_area(0u) + place]);
    process.now = time_of(event.key);
    sending_at = sent_place(place);
    sent_by_event = 0u;
    sent_before = process.sent;
    execute(event, stream);
    leave_empty(place, sent_by_event);
}

// Finds the first places of a list from `begin` on, in order; returns how many.
fn find_first(list: u32, begin: u32, lane: u32) -> u32 {
    var number = 0u;
    for (var link = list; link != 0u; link = heap_words[link - 1u]) {
        let place = link - 1u;
        if (place < begin) { continue; }
        var i = number;
        if (number == AT_A_TIME) {
            if (place > found[lane + WORKGROUP * (number - 1u)]) { continue; }
            i -= 1u;
        } else {
            number += 1u;
        }
        while (i != 0u && found[lane + WORKGROUP * (i - 1u)] > place) {
            found[lane + WORKGROUP * i] = found[lane + WORKGROUP * (i - 1u)];
            i -= 1u;
        }
        found[lane + WORKGROUP * i] = place;
    }
    return number;
}

fn give_back_behind(list: u32, begin: u32) {
    for (var link = list; link != 0u; link = heap_words[link - 1u]) {
        let event = node_area(0u) + link - 1u;
        if (link > begin) { give_back(link - 1u, keys[event], cargo[event]); }
    }
}
