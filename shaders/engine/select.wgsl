// engine/select (step 3): the imminent entities of a block, in id order, by prefix sum.
// Reads: next_event. Writes: workgroup memory.

import package::engine::schedule::{next_event};
import package::lib::control::{control};
import package::lib::summaries::{BLOCK};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_minimum};
import constants::{WORKGROUP};
import word64::{wide_less};
import workgroup::{workgroup_prefix};

const BLOCK_WORDS: u32 = BLOCK / 32u;
const CHUNKS: u32 = (BLOCK_WORDS + WORKGROUP - 1u) / WORKGROUP;
const LARGEST_STEP: u32 = 1u << (31u - countLeadingZeros(BLOCK_WORDS));

var<workgroup> marks: array<atomic<u32>, BLOCK_WORDS>; // one bit an entity
var<workgroup> ranks: array<u32, BLOCK_WORDS>;         // imminent entities of the block before each word
var<private> earliest_left: Time;                      // of the entities that are not imminent

fn event_of(entity: u32, entities: u32) -> Time {
    if (entity < entities) { return next_event[entity]; }
    return never();
}

fn mark(place: u32, time: Time, bound: Time) {
    if (wide_less(time, bound)) {
        atomicOr(&marks[place / 32u], 1u << (place % 32u));
    } else {
        earliest_left = wide_minimum(earliest_left, time);
    }
}

// Marks the imminent entities of the block and reduces the event times of the others.
fn mark_block(first: u32, lane: u32, bound: Time) {
    for (var word = lane; word < BLOCK_WORDS; word += WORKGROUP) { atomicStore(&marks[word], 0u); }
    workgroupBarrier();
    earliest_left = never();
    let entities = control.entities;
    // Loads four words at a time.
    for (var place = lane; place < BLOCK; place += 4u * WORKGROUP) {
        let a = event_of(first + place, entities);
        let b = event_of(first + place + WORKGROUP, entities);
        let c = event_of(first + place + 2u * WORKGROUP, entities);
        let d = event_of(first + place + 3u * WORKGROUP, entities);
        mark(place, a, bound);
        mark(place + WORKGROUP, b, bound);
        mark(place + 2u * WORKGROUP, c, bound);
        mark(place + 3u * WORKGROUP, d, bound);
    }
    workgroupBarrier();
}

// Ranks the marked entities, for every lane; returns their number.
fn rank_block(lane: u32) -> u32 {
    var total = 0u;
    for (var chunk = 0u; chunk < CHUNKS; chunk += 1u) {
        let word = chunk * WORKGROUP + lane;
        var count = 0u;
        if (word < BLOCK_WORDS) { count = countOneBits(atomicLoad(&marks[word])); }
        var all = 0u;
        let before = workgroup_prefix(lane, count, &all);
        if (word < BLOCK_WORDS) { ranks[word] = total + before; }
        total += all;
    }
    workgroupBarrier();
    return total;
}

// The imminent entity of a rank in the block: its word is the last with at most so many marked entities before it; there, its
// bit. The loops take the same turns in every lane: compilers must see that all lanes meet at barriers.
fn imminent(first: u32, rank: u32) -> u32 {
    var word = 0u;
    for (var step = LARGEST_STEP; step > 0u; step /= 2u) {
        let next = word + step;
        if (next < BLOCK_WORDS) {
            if (ranks[next] <= rank) { word = next; }
        }
    }
    let bits = atomicLoad(&marks[word]);
    var above = rank - ranks[word];
    var place = 0u;
    for (var width = 16u; width > 0u; width /= 2u) {
        let below = countOneBits((bits >> place) & ((1u << width) - 1u));
        if (above >= below) {
            above -= below;
            place += width;
        }
    }
    return first + word * 32u + place;
}
