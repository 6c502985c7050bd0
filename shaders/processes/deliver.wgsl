// processes/deliver: a message goes into the set of its destination, where no thread looks at it before the next round.
// A message for which there is no room stays with its sender: no round begins before there is room. Messages to another
// part go by processes/crossing.
// Reads: parameters. Writes: slots, inboxes, messages, control.

import package::lib::control::{control};
import package::lib::time::{Time};
import package::lib::wide::{wide_minimum};
import package::pending::messages::{messages};
import package::pending::order::{time_of};
import package::processes::counted_sets::{set_room};
import package::processes::records::{inbox_of, inboxes, parameters, process};
import crossing::{crosses};
import events::{new_event, put_event};

// A message and its place. Memory takes long to return the place, so a message is put there when the next one is sent.
struct Sent {
    is_there: bool,
    destination: u32,
    place: u32,
    key: vec4<u32>,
    carried: vec4<u32>,
}

var<private> earliest_sent: Time;
var<private> undelivered: u32;
var<private> last_sent: Sent;

fn post(destination: u32, key: vec4<u32>, carried: vec4<u32>) {
    earliest_sent = wide_minimum(earliest_sent, time_of(key));
    if (crosses(destination, key, carried)) { return; }
    put_last();
    last_sent = Sent(true, destination, atomicAdd(&inboxes[inbox_of(destination)], 1u), key, carried);
}

// Puts the last message at its place.
fn put_last() {
    if (!last_sent.is_there) { return; }
    last_sent.is_there = false;
    let sent = last_sent;
    if (sent.place < set_room()) {
        put_event(sent.destination * parameters.slots + sent.place, new_event(sent.key, sent.carried));
        return;
    }
    atomicMax(&control.room, sent.place + 1u);
    let number = process.id * parameters.outbox + undelivered;
    undelivered += 1u;
    messages[2u * number] = sent.key;
    messages[2u * number + 1u] = vec4<u32>(sent.destination, sent.carried.x, sent.carried.y, sent.carried.z);
}
