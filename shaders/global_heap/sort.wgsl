// global_heap/sort (part 2 of a round; one workgroup BLOCK_EVENTS of the events sent or left over)
// What: puts each block in order, by a bitonic network (Batcher 1968).
// Reads: keys, cargo, heap_words. Writes: keys, cargo, workgroup memory.
// Afterwards: RUNS_AT has the blocks, each in order.

import package::global_heap::areas::{stepping};
import package::global_heap::events::{cargo, keys};
import package::pending::order::{precedes};
import constants::{BLOCK_EVENTS, RUNS_AT, SENT_AT, SORTED, WORKGROUP};

var<workgroup> block_keys: array<vec4<u32>, BLOCK_EVENTS>;
var<workgroup> block_places: array<u32, BLOCK_EVENTS>;

fn run(block: u32, lane: u32) {
    let first = block * BLOCK_EVENTS;
    let has_work = stepping() && first < SORTED;
    for (var i = lane; has_work && i < BLOCK_EVENTS; i += WORKGROUP) {
        block_keys[i] = keys[SENT_AT + first + i];
        block_places[i] = SENT_AT + first + i;
    }
    workgroupBarrier();
    for (var size = 2u; size <= BLOCK_EVENTS; size *= 2u) {
        for (var stride = size / 2u; stride > 0u; stride /= 2u) {
            for (var pair = lane; has_work && pair < BLOCK_EVENTS / 2u; pair += WORKGROUP) {
                let low = 2u * stride * (pair / stride) + pair % stride;
                exchange(low, low + stride, (low & size) == 0u);
            }
            workgroupBarrier();
        }
    }
    for (var i = lane; has_work && i < BLOCK_EVENTS; i += WORKGROUP) {
        keys[RUNS_AT + first + i] = block_keys[i];
        cargo[RUNS_AT + first + i] = cargo[block_places[i]];
    }
}

fn exchange(low: u32, high: u32, ascending: bool) {
    let a = block_keys[low];
    let b = block_keys[high];
    if (precedes(b, a) != ascending) { return; }
    block_keys[low] = b;
    block_keys[high] = a;
    let place = block_places[low];
    block_places[low] = block_places[high];
    block_places[high] = place;
}
