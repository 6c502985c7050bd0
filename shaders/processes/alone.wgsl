// processes/alone (up to `control.turns` rounds; one workgroup has all processes)
// What: rounds with so few events that launches would take longer than the work. The workgroup finds the earliest event and
//       the bound, lists the processes with imminent events, which its first lanes execute, and then the processes that have
//       got messages.
// Reads: control. Writes: control, next_event, processes, slots, messages, inboxes.
// Afterwards: as after the same number of rounds. Where there was no room, a message is in the inbox of its process.

import package::engine::schedule::{next_event};
import package::lib::control::{control};
import package::lib::summaries::{BLOCK};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_minimum};
import package::pending::messages::{messages_in};
import package::pending::queue::{queue};
import package::processes::alone_outbox::{counts, inbox, receiving};
import package::processes::execute::{execute_before};
import package::processes::records::{inbox_of, inboxes, parameters};
import package::processes::send::{failed};
import constants::{WORKGROUP};
import intake::{take_in};
import set::{SPARE, first_time};
import sets::{close_pending, open_pending};
import word64::{wide, wide_add, wide_less};
import workgroup::{workgroup_minimum, workgroup_sum};

var<workgroup> listed: array<u32, BLOCK>;          // processes with imminent events
var<workgroup> hindered: atomic<u32>;              // a fault has been raised, or there was no room
var<workgroup> round_bound: Time;                  // 0 behind the last round

fn run(block: u32, lane: u32) {
    let limit = control.limit;
    let turns = control.turns;
    let halted = (atomicLoad(&control.fault) | atomicLoad(&control.room)) != 0u;
    for (var id = lane; id < BLOCK; id += WORKGROUP) { atomicStore(&inbox[id], 0u); }
    if (lane < 2u) { atomicStore(&counts[lane], 0u); }
    if (lane == 0u) { atomicStore(&hindered, select(0u, 1u, halted)); }
    var executed = 0u;
    var rounds = 0u;
    var earliest = never();
    var bound = wide(0u, 0u);
    loop {
        earliest = workgroup_minimum(lane, earliest_of(lane));
        if (lane == 0u) {
            let stops = rounds == turns || !wide_less(earliest, limit) || atomicLoad(&hindered) != 0u;
            round_bound = wide_minimum(wide_add(earliest, control.lookahead), limit);
            if (stops) { round_bound = wide(0u, 0u); }
        }
        let next = workgroupUniformLoad(&round_bound);
        if (!wide_less(wide(0u, 0u), next)) { break; }
        bound = next;
        executed += execute_round(bound, lane);
        take_messages(lane);
        rounds += 1u;
    }
    for (var id = lane; id < parameters.processes; id += WORKGROUP) {
        let rest = atomicLoad(&inbox[id]);
        if (rest != 0u) { atomicStore(&inboxes[inbox_of(id)], rest); }
    }
    let all = workgroup_sum(lane, executed);
    if (lane == 0u) { write_down(earliest, bound, rounds, all); }
}

fn earliest_of(lane: u32) -> Time {
    var earliest = never();
    for (var id = lane; id < parameters.processes; id += WORKGROUP) { earliest = wide_minimum(earliest, next_event[id]); }
    return earliest;
}

// Executes the round's events of this lane; returns how many.
fn execute_round(bound: Time, lane: u32) -> u32 {
    for (var id = lane; id < parameters.processes; id += WORKGROUP) {
        if (wide_less(next_event[id], bound)) { listed[atomicAdd(&counts[0], 1u)] = id; }
    }
    workgroupBarrier();
    var executed = 0u;
    let number = atomicLoad(&counts[0]);
    for (var place = lane; place < number; place += WORKGROUP) {
        executed += execute_before(bound, listed[place]);
        if (failed) { atomicStore(&hindered, 1u); }
    }
    storageBarrier();
    workgroupBarrier();
    return executed;
}

// Takes messages into the sets of the processes to which they were sent.
fn take_messages(lane: u32) {
    let number = atomicLoad(&counts[1]);
    if (lane == 0u) { atomicStore(&counts[0], 0u); }
    for (var place = lane; place < number; place += WORKGROUP) {
        let id = receiving[place];
        open_pending(id);
        let rest = take_in(atomicLoad(&inbox[id]));
        atomicStore(&inbox[id], rest);
        if (rest != 0u) {
            atomicMax(&control.room, queue.count + messages_in(rest) + SPARE);
            atomicStore(&hindered, 1u);
        }
        close_pending(id);
        next_event[id] = first_time();
    }
    storageBarrier();
    workgroupBarrier();
    if (lane == 0u) { atomicStore(&counts[1], 0u); }
}

fn write_down(earliest: Time, bound: Time, rounds: u32, executed: u32) {
    let fault = atomicLoad(&control.fault);
    let full = atomicLoad(&control.room) != 0u;
    let ended = !wide_less(earliest, control.limit);
    control.minimum = earliest;
    control.running = select(1u, 0u, ended || full || fault != 0u);
    control.halted = fault;
    if (rounds != 0u) {
        control.bound = bound;
        control.finished += 1u;
        control.rounds = wide_add(control.rounds, wide(rounds, 0u));
        control.events = wide_add(control.events, wide(executed, 0u));
    }
    if (ended && !full && fault == 0u) { control.bound = control.limit; }
}
