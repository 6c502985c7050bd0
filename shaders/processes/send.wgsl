// processes/send: the functions that a model calls. `plan` is for `start`, `send` for `execute`. The kernel delivers a
// message by `post(destination, key, carried)`, and an event at the start by `insert(event)`.
// Reads: parameters. Writes: of a process that fails the fault.

import package::lib::time::{Time, never};
import package::processes::records::{
    FAULT_DESTINATION, FAULT_LOOKAHEAD, FAULT_MESSAGES, FAULT_MOST_SENT, FAULT_START, FAULT_TIME, parameters, process,
};
import events::{new_event};
import faults::{raise};
import insertion::{insert};
import outgoing::{post};
import word64::{Wide, wide, wide_add, wide_high, wide_less, wide_low};

var<private> failed: bool;
var<private> culprit: Wide;           // the value of the fault
var<private> sent_before: u32;        // messages of the process before its event: the caller of `execute` sets it

// Stops the process, and with it the run.
fn fail(fault: u32, by: Wide) {
    raise(fault, process.id);
    failed = true;
    culprit = by;
    process.executed = wide(fault, 0u);
}

// Whether the process may send a message that takes a delay and arrives at a time.
fn may_send(destination: u32, delay: Wide, time: Time) -> bool {
    if (destination >= parameters.processes) {
        fail(FAULT_DESTINATION, wide(destination, 0u));
    } else if (wide_less(time, delay) || !wide_less(time, never())) {
        fail(FAULT_TIME, delay);
    } else if (process.sent == 0xffffffffu) {
        fail(FAULT_MESSAGES, delay);
    }
    return !failed;
}

fn next_key(time: Time) -> vec4<u32> {
    let key = vec4<u32>(wide_low(time), wide_high(time), process.id, process.sent);
    process.sent += 1u;
    return key;
}

// Plans an event of the process itself at the start, with its carried words.
fn plan(time: Time, carried: vec4<u32>) {
    if (failed) { return; }
    if (process.sent == parameters.starting) { fail(FAULT_START, time); }
    if (failed || !may_send(process.id, time, time)) { return; }
    if (!insert(new_event(next_key(time), carried))) { fail(FAULT_START, time); }
}

// Sends a message to a process, which arrives after a delay.
fn send(destination: u32, delay: Wide, carried: vec4<u32>) {
    if (failed) { return; }
    // The event has sent as many messages as it may.
    if (process.sent - sent_before == parameters.most_sent) {
        fail(FAULT_MOST_SENT, delay);
    } else if (wide_less(delay, parameters.lookahead)) {
        fail(FAULT_LOOKAHEAD, delay);
    }
    let time = wide_add(process.now, delay);
    if (failed || !may_send(destination, delay, time)) { return; }
    post(destination, next_key(time), carried);
}
