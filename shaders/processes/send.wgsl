// processes/send: what a model's functions call. `plan` is for `start`, `send` for `execute`. The messages of a round lie
// in a part of the buffer for each process, and are pushed into the inboxes of those that they go to. The order of an
// inbox decides nothing.
// Reads: parameters. Writes: messages, inboxes; of a process that fails what it did.

var<private> outbox_used: u32;
var<private> failed: bool;
var<private> culprit: Wide;           // what it failed by

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
    if (failed || !may_send(process.id, time, time)) { return; }
    if (!insert(new_event(next_key(time), carried))) { fail(FAULT_START, time); }
}

// A message to a process, which arrives after a delay.
fn send(destination: u32, delay: Wide, carried: vec4<u32>) {
    if (failed) { return; }
    if (wide_less(delay, parameters.lookahead)) { fail(FAULT_LOOKAHEAD, delay); }
    let time = wide_add(process.now, delay);
    if (failed || !may_send(destination, delay, time)) { return; }
    let number = process.id * parameters.outbox + outbox_used;
    outbox_used += 1u;
    let link = atomicExchange(&inboxes[destination], number + 1u);
    messages[2u * number] = next_key(time);
    messages[2u * number + 1u] = vec4<u32>(link, carried.x, carried.y, carried.z);
}
