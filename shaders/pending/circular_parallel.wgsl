// pending/circular_parallel: a sorted ring to which a whole workgroup adds what has come. Each thread puts a list of
// messages behind the ring of its own set, as they are (`free` counts them); then `settle(lane)` merges them, one set after
// the other.
// Reads: messages. Writes: slots, workgroup memory.

import package::pending::messages::{message_at};
import package::pending::order::{precedes};
import package::pending::queue::{key_at, queue, room};
import package::pending::ring::{ring_slot};
import constants::{WORKGROUP};
import events::{Event, event_at, event_of, put_event};

const BATCH: u32 = min(WORKGROUP, 256u);

var<workgroup> batch_keys: array<vec4<u32>, BATCH>;
var<workgroup> batch: array<Event, BATCH>;        // in order
var<workgroup> batch_is_behind: u32;              // every event before those looked at

fn take_in(list: u32) -> u32 {
    var link = list;
    while (link != 0u && queue.count < room()) {
        let message = message_at(link);
        put_event(ring_slot(queue.count), event_of(message));
        queue.count += 1u;
        queue.free += 1u;
        link = message.rest.x;
    }
    return link;
}

// Every thread of the workgroup has opened the same set.
fn settle(lane: u32) {
    var sorted = queue.count - queue.free;
    while (sorted < queue.count) {
        let length = min(queue.count - sorted, BATCH);
        sort_batch(sorted, length, lane);
        var place = lane;
        if (lane < length) { place += events_before(batch[lane].key, sorted); }
        move_up(sorted, length, lane);
        if (lane < length) { put_event(ring_slot(place), batch[lane]); }
        storageBarrier();
        workgroupBarrier();
        sorted += length;
    }
    queue.free = 0u;
}

// The events behind the first `sorted`.
fn sort_batch(sorted: u32, length: u32, lane: u32) {
    if (lane < length) { batch_keys[lane] = key_at(ring_slot(sorted + lane)); }
    workgroupBarrier();
    if (lane < length) {
        var rank = 0u;
        for (var i = 0u; i < length; i += 1u) { rank += select(0u, 1u, precedes(batch_keys[i], batch_keys[lane])); }
        batch[rank] = event_at(ring_slot(sorted + lane));
    }
    workgroupBarrier();
}

// How many of the first `sorted` precede a key.
fn events_before(key: vec4<u32>, sorted: u32) -> u32 {
    var low = 0u;
    var high = sorted;
    while (low < high) {
        let middle = (low + high) / 2u;
        if (precedes(key_at(ring_slot(middle)), key)) { low = middle + 1u; } else { high = middle; }
    }
    return low;
}

fn batch_before(key: vec4<u32>, length: u32) -> u32 {
    var low = 0u;
    var high = length;
    while (low < high) {
        let middle = (low + high) / 2u;
        if (precedes(batch[middle].key, key)) { low = middle + 1u; } else { high = middle; }
    }
    return low;
}

// Makes room for the batch: an event moves on by as many as precede it. The last go first.
fn move_up(sorted: u32, length: u32, lane: u32) {
    var end = sorted;
    while (end != 0u) {
        let begin = end - min(end, WORKGROUP);
        let place = begin + lane;
        var distance = 0u;
        var event = batch[0];
        if (place < end) {
            event = event_at(ring_slot(place));
            distance = batch_before(event.key, length);
        }
        if (lane == 0u) { batch_is_behind = select(0u, 1u, distance == 0u); }
        storageBarrier();
        workgroupBarrier();
        if (distance != 0u) { put_event(ring_slot(place + distance), event); }
        end = begin;
        if (workgroupUniformLoad(&batch_is_behind) != 0u) { break; }
    }
    // Where no event had to be looked at, places for the batch have not been either.
    storageBarrier();
    workgroupBarrier();
}
