// global_heap/post: where messages of a process go: the place of a message follows from the place of its event and the
// number of the message among those that the event sends; events planned at the start lie process after process.
// Writes: keys, cargo.

import package::global_heap::events::{cargo, keys};
import package::processes::records::{parameters, process};
import events::{Event, cargo_of, cargo_to};

var<private> sending_at: u32;
var<private> sent_by_event: u32;
var<private> planned: u32;

fn post(destination: u32, key: vec4<u32>, carried: vec4<u32>) {
    let to = sending_at + sent_by_event;
    sent_by_event += 1u;
    keys[to] = key;
    cargo[to] = cargo_to(destination, carried);
}

fn insert(event: Event) -> bool {
    if (planned == parameters.slots) { return false; }
    let to = process.id * parameters.slots + planned;
    planned += 1u;
    keys[to] = event.key;
    cargo[to] = cargo_of(process.id, event);
    return true;
}
