// global_heap/settle (part 4 of a round; one thread an event of the even levels)
// What: takes the sorted events into the root, makes the steps that are due at even levels, and finds the bound of the
//       next round: each event of the root that is before the bound and may go is pushed into the inbox of its process;
//       all others are given back. In a round without steps it only finds the bound and pushes events.
// Reads: keys, cargo, heap_words, control. Writes: control, keys, cargo, heap_words, inboxes.
// Afterwards: the root has the earliest events, in order; steps are due at odd levels.

import package::global_heap::areas::{LEFT_AT, LEFT_OVER, MAY_GO, give_back, heap_words, node_area, stepping};
import package::global_heap::events::{cargo, is_none, keys, put};
import package::global_heap::level::{one_step};
import package::lib::control::{control};
import package::lib::time::{Time};
import package::lib::wide::{wide_minimum};
import package::pending::order::{time_of};
import package::processes::records::{inbox_of, inboxes};
import constants::{LEVELS, NODE, NODES, SORTED, SORTED_AT, WORKGROUP};
import events::{Cargo, destination_of};
import word64::{wide, wide_add, wide_less};

const EVEN_LEVELS: u32 = (LEVELS + 1u) / 2u;

var<private> next_bound: Time;

fn run(group: u32, lane: u32) {
    let thread = group * WORKGROUP + lane;
    let steps = stepping();
    let earliest = earliest_event(steps);
    next_bound = bound_behind(earliest);
    if (thread == 0u) { write_down(earliest, steps); }
    if (thread < LEFT_OVER) { put(LEFT_AT + thread, SORTED_AT + NODE + thread); }
    if (steps && thread < 3u * NODE * EVEN_LEVELS) {
        one_step(2u * (thread / (3u * NODE)), thread / NODE % 3u, thread % NODE);
    } else if (!steps && thread < NODE) {
        at_root(thread, keys[node_area(0u) + thread], cargo[node_area(0u) + thread]);
    }
}

fn at_root(place: u32, key: vec4<u32>, load: Cargo) {
    if (place < MAY_GO && wide_less(time_of(key), next_bound)) {
        heap_words[place] = atomicExchange(&inboxes[inbox_of(destination_of(load))], place + 1u);
    } else {
        give_back(place, key, load);
    }
}

// The first event of the root, as it will be after the step.
fn earliest_event(steps: bool) -> Time {
    if (!steps) { return time_of(keys[node_area(0u)]); }
    var earliest = time_of(keys[SORTED_AT]);
    if (NODES > 1u) { earliest = wide_minimum(earliest, time_of(keys[node_area(1u)])); }
    if (NODES > 2u) { earliest = wide_minimum(earliest, time_of(keys[node_area(2u)])); }
    return earliest;
}

// Whether more events are left over than have places in the next round.
fn overflows() -> bool {
    return SORTED > NODE && !is_none(keys[SORTED_AT + min(NODE + LEFT_OVER, SORTED - 1u)]);
}

// As in processes/round; a fault was raised in another part of the round.
fn bound_behind(earliest: Time) -> Time {
    let hindered = atomicLoad(&control.fault) != 0u || overflows();
    if (hindered || !wide_less(earliest, control.limit)) { return wide(0u, 0u); }
    return wide_minimum(wide_add(earliest, control.lookahead), control.limit);
}

fn write_down(earliest: Time, steps: bool) {
    let running = wide_less(wide(0u, 0u), next_bound);
    control.minimum = earliest;
    control.running = select(0u, 1u, running);
    if (running) {
        control.bound = next_bound;
    } else if (overflows()) {
        atomicStore(&control.room, 1u);
    } else if (atomicLoad(&control.fault) == 0u) {
        control.bound = control.limit;
    }
    if (!steps) { return; }
    control.finished += 1u;
    control.round = control.finished;
    control.events = wide_add(control.events, wide(atomicExchange(&control.selected, 0u), 0u));
}
