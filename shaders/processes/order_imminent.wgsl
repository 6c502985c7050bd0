// processes/order_imminent (part 1 of a round, for sets without order; a workgroup takes EACH processes, one after the other)
// What: takes the events before the bound out of each set and puts them in order, the first `parameters.events` of them.
// Reads: control, summaries, inboxes. Writes: control (first workgroup), next_event, processes, slots, inboxes.
// Afterwards: imminent events lie in order in the second half of a set's slots, the others in the first; the earliest of the
//             others is in next_event. A round without work changes nothing.

import package::engine::schedule::{next_event};
import package::lib::control::{control};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_minimum};
import package::pending::order::{time_of};
import package::pending::queue::{open_queue, queue};
import package::processes::rank_imminent::{KEYS, imminent_slot, order_all, order_keys, put_key};
import package::processes::records::{inbox_of, inboxes, parameters, processes};
import package::processes::round::{earliest_event, round_bound, write_down};
import constants::{EACH, WORKGROUP};
import events::{EVENT_WORDS, Event, event_at, put_event};
import word64::{wide, wide_add, wide_less};
import workgroup::{workgroup_minimum};

var<workgroup> goes_on: u32;
var<workgroup> count: u32;
var<workgroup> imminent: atomic<u32>;
var<workgroup> left: atomic<u32>;
var<workgroup> taken: u32;

fn run(group: u32, lane: u32) {
    let earliest = earliest_event(lane);
    // No thread sets a fault or room while this kernel runs.
    let hindered = (atomicLoad(&control.fault) | atomicLoad(&control.room)) != 0u;
    let bound = round_bound(earliest, hindered);
    if (group == 0u && lane == 0u) {
        control.events = wide_add(control.events, wide(atomicExchange(&control.selected, 0u), 0u));
        write_down(earliest, bound, hindered);
    }
    if (lane == 0u) { goes_on = select(0u, 1u, wide_less(wide(0u, 0u), bound)); }
    if (workgroupUniformLoad(&goes_on) == 0u) { return; }
    for (var id = group * EACH; id < min((group + 1u) * EACH, parameters.processes); id += 1u) {
        take_imminent(id, lane, bound);
    }
}

fn take_imminent(id: u32, lane: u32, bound: Time) {
    open_queue(id, parameters.slots, vec4<u32>());
    if (lane == 0u) {
        count = atomicLoad(&inboxes[inbox_of(id)]);
        atomicStore(&imminent, 0u);
        atomicStore(&left, 0u);
    }
    var least = part(workgroupUniformLoad(&count), lane, bound);
    storageBarrier();
    workgroupBarrier();
    if (lane == 0u) { taken = atomicLoad(&imminent); }
    let all = workgroupUniformLoad(&taken);
    let stay = atomicLoad(&left);
    if (all <= KEYS && EVENT_WORDS == 1u) {
        order_keys(all, lane);
    } else {
        order_all(all, stay, lane);
    }
    // Events beyond the most for one round go back.
    let some = min(all, parameters.events);
    if (some != all) {
        storageBarrier();
        for (var place = some + lane; place < all; place += WORKGROUP) {
            let event = event_at(imminent_slot(place));
            put_event(queue.base + stay + place - some, event);
            least = wide_minimum(least, time_of(event.key));
        }
    }
    let earliest = workgroup_minimum(lane, least);
    if (lane != 0u) { return; }
    next_event[id] = earliest;
    atomicStore(&inboxes[inbox_of(id)], stay + all - some);
    processes[3u * id] = vec4<u32>(0u, some, 0u, 0u);
}

// Parts the events of a set into those before the bound and the others, each in no order; returns the earliest of the
// others.
fn part(events: u32, lane: u32, bound: Time) -> Time {
    var least = never();
    for (var begin = 0u; begin < events; begin += WORKGROUP) {
        let place = begin + lane;
        var event: Event;
        if (place < events) { event = event_at(queue.base + place); }
        // All keys are read before an event is moved.
        storageBarrier();
        workgroupBarrier();
        let time = time_of(event.key);
        if (place < events && wide_less(time, bound)) {
            let number = atomicAdd(&imminent, 1u);
            if (number < KEYS) { put_key(number, event.key); }
            put_event(imminent_slot(number), event);
        } else if (place < events) {
            put_event(queue.base + atomicAdd(&left, 1u), event);
            least = wide_minimum(least, time);
        }
    }
    return least;
}
