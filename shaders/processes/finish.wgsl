// processes/finish: the end of the second part of a round; with AGAIN, between rounds, there is no such end. No fault is
// raised here, so this is where a fault stops the run.
// Reads and writes: control (first block), summaries.

import package::lib::control::{control};
import package::lib::summaries::{summaries};
import package::lib::time::{Time};
import package::pending::messages::{messages_in};
import package::pending::queue::{queue};
import package::processes::records::{inbox_of, inboxes};
import constants::{AGAIN};
import intake::{take_in};
import set::{SPARE};
import sets::{close_pending, open_pending};
import word64::{wide, wide_add};
import workgroup::{workgroup_minimum};

fn goes_on() -> bool { return AGAIN || control.running != 0u; }

// Leaves the earliest event of a block for other workgroups.
fn finish(block: u32, lane: u32, least: Time, running: bool) {
    let earliest = workgroup_minimum(lane, least);
    if (lane != 0u || !running || block >= control.blocks) { return; }
    summaries[block] = earliest;
    if (block != 0u) { return; }
    control.halted = atomicLoad(&control.fault);
    if (AGAIN) { return; }
    control.finished = control.round;
    control.events = wide_add(control.events, wide(atomicExchange(&control.selected, 0u), 0u));
}

// Takes an inbox into the set of its process, which stays open. Messages without room stay in the inbox.
fn take_inbox(id: u32, list: u32) {
    open_pending(id);
    let rest = take_in(list);
    atomicStore(&inboxes[inbox_of(id)], rest);
    if (rest != 0u) { atomicMax(&control.room, queue.count + messages_in(rest) + SPARE); }
    close_pending(id);
}
