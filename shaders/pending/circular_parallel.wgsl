// pending/circular_parallel: a sorted ring to which a whole workgroup adds messages. Each thread puts a list of messages
// behind the ring of its own set, in no order (`free` counts them); then the workgroup merges them by `settle`, one set
// after the other.
// Reads: messages. Writes: slots, workgroup memory.

import package::pending::messages::{message_at};
import package::pending::order::{precedes};
import package::pending::queue::{key_at, queue, room};
import package::pending::ring::{ring_slot};
import constants::{WORKGROUP};
import events::{Event, event_at, event_of, put_event};

const BATCH: u32 = min(WORKGROUP, 256u);

var<workgroup> batch_keys: array<vec4<u32>, BATCH>;
var<workgroup> ordered_keys: array<vec4<u32>, BATCH>;
var<workgroup> batch_is_behind: u32;              // whether every event before the batch precedes it

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

// Every thread of the workgroup has opened the same set, which has `count` sorted events and `free` behind them.
fn settle(count: u32, free: u32, lane: u32) {
    for (var sorted = count - free; sorted < count; sorted += BATCH) {
        let length = min(count - sorted, BATCH);
        var event: Event;
        if (lane < length) {
            event = event_at(ring_slot(sorted + lane));
            batch_keys[lane] = event.key;
        }
        workgroupBarrier();
        let rank = keys_before(event.key, length);
        if (lane < length) { ordered_keys[rank] = event.key; }
        let place = rank + events_before(event.key, sorted);
        workgroupBarrier();
        move_up(sorted, length, lane);
        if (lane < length) { put_event(ring_slot(place), event); }
        storageBarrier();
    }
    queue.free = 0u;
}

// How many keys of the batch precede a key.
fn keys_before(key: vec4<u32>, length: u32) -> u32 {
    var rank = 0u;
    for (var i = 0u; i < length; i += 1u) { rank += select(0u, 1u, precedes(batch_keys[i], key)); }
    return rank;
}

// How many of the first `sorted` events precede a key. As below, the loop turns equally often in every lane.
fn events_before(key: vec4<u32>, sorted: u32) -> u32 {
    var before = 0u;
    for (var left = sorted; left != 0u; left >>= 1u) {
        let half = (left + 1u) >> 1u;
        if (precedes(key_at(ring_slot(before + half - 1u)), key)) { before += half; }
    }
    return before;
}

fn batch_before(key: vec4<u32>, length: u32) -> u32 {
    var before = 0u;
    for (var left = length; left != 0u; left >>= 1u) {
        let half = (left + 1u) >> 1u;
        if (precedes(ordered_keys[before + half - 1u], key)) { before += half; }
    }
    return before;
}

// Makes room for the batch: an event moves on by as many places as keys of the batch precede it, the last event first.
fn move_up(sorted: u32, length: u32, lane: u32) {
    var end = sorted;
    while (end != 0u) {
        let begin = end - min(end, WORKGROUP);
        let place = begin + lane;
        var distance = 0u;
        var event: Event;
        if (place < end) {
            event = event_at(ring_slot(place));
            distance = batch_before(event.key, length);
        }
        if (lane == 0u) { batch_is_behind = select(0u, 1u, distance == 0u); }
        storageBarrier();
        if (distance != 0u) { put_event(ring_slot(place + distance), event); }
        end = begin;
        if (workgroupUniformLoad(&batch_is_behind) != 0u) { break; }
    }
    // Without sorted events the loop has no barrier.
    storageBarrier();
}
