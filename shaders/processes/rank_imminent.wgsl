// processes/rank_imminent: puts imminent events in order: each counts the events before it, which gives its place. KEYS of
// the events lie in workgroup memory at a time.
// Reads and writes: slots.

import package::lib::time::{Time};
import package::pending::order::{precedes, time_of};
import package::pending::queue::{key_at, queue};
import package::processes::counted_sets::{set_room};
import constants::{WORKGROUP};
import events::{Event, event_at, new_event, put_event};
import word64::{wide_less};

const KEYS: u32 = 256u;

var<workgroup> keys: array<vec4<u32>, KEYS>;
var<workgroup> times: array<Time, KEYS>;

fn imminent_slot(place: u32) -> u32 { return queue.base + set_room() + place; }

fn put_key(number: u32, key: vec4<u32>) {
    keys[number] = key;
    times[number] = time_of(key);
}

// How many of the loaded keys come before this key, which may be among them.
fn rank(key: vec4<u32>, number: u32, is_there: bool) -> u32 {
    let time = time_of(key);
    var before = 0u;
    var others = 0u;
    for (var other = 0u; other < number; other += 1u) {
        let other_time = times[other];
        before += select(0u, 1u, wide_less(other_time, time));
        others += select(0u, 1u, wide_less(time, other_time));
    }
    // Another event at the same time is rare.
    if (before + others + select(0u, 1u, is_there) == number) { return before; }
    before = 0u;
    for (var other = 0u; other < number; other += 1u) { before += select(0u, 1u, precedes(keys[other], key)); }
    return before;
}

// Puts the events in order where all keys are loaded and events have no other words.
fn order_keys(all: u32, lane: u32) {
    for (var number = lane; number < all; number += WORKGROUP) {
        let key = keys[number];
        put_event(imminent_slot(rank(key, all, true)), new_event(key, vec4<u32>()));
    }
}

// Puts events in order where not all keys fit or events carry words: events move behind those that stay, where there is
// room now, and from there to their places.
fn order_all(all: u32, stay: u32, lane: u32) {
    let first = queue.base + stay;
    for (var place = lane; place < all; place += WORKGROUP) { put_event(first + place, event_at(imminent_slot(place))); }
    storageBarrier();
    for (var begin = 0u; begin < all; begin += WORKGROUP) {
        let place = begin + lane;
        var event: Event;
        if (place < all) { event = event_at(first + place); }
        var before = 0u;
        for (var some = 0u; some < all; some += KEYS) {
            let number = min(KEYS, all - some);
            workgroupBarrier();
            for (var other = lane; other < number; other += WORKGROUP) { put_key(other, key_at(first + some + other)); }
            workgroupBarrier();
            if (place < all) { before += rank(event.key, number, place >= some && place - some < number); }
        }
        if (place < all) { put_event(imminent_slot(before), event); }
    }
    workgroupBarrier();
}
