// processes/send: what a model's functions call. `plan` is for `start`, `send` for `execute`. Where a message goes is
// `post(destination, key, carried)`, where an event at the start goes is `insert(event)`.
// Reads: parameters. Writes: of a process that fails what it did.

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
var<private> culprit: Wide;           // what it failed by
var<private> sent_before: u32;        // what it had sent before its event: whoever calls `execute` sets it

// The process stops, and with it the run.
fn fail(fault: u32, by: Wide) {
    raise(fault, process.id);
    failed = true;
    culprit = by;
    process.executed = wide(fault, 0u);
}

// Whether the process may send a message at a time, which takes so long.
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

// An event of the process's own at the start, that carries so much.
fn plan(time: Time, carried: vec4<u32>) {
    if (failed) { return; }
    if (process.sent == parameters.starting) { fail(FAULT_START, time); }
    if (failed || !may_send(process.id, time, time)) { return; }
    if (!insert(new_event(next_key(time), carried))) { fail(FAULT_START, time); }
}

// A message to a process, which arrives after a delay.
fn send(destination: u32, delay: Wide, carried: vec4<u32>) {
    if (failed) { return; }
    // There is no place for one more.
    if (process.sent - sent_before == parameters.most_sent) {
        fail(FAULT_MOST_SENT, delay);
    } else if (wide_less(delay, parameters.lookahead)) {
        fail(FAULT_LOOKAHEAD, delay);
    }
    let time = wide_add(process.now, delay);
    if (failed || !may_send(destination, delay, time)) { return; }
    post(destination, next_key(time), carried);
}
