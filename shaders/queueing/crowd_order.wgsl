// queueing/crowd_order: a crowd in order: put together from its lists, sorted in runs in workgroup memory, and merged.
// Reads: next_event, tokens. Writes: links.

import package::engine::schedule::{next_event};
import package::lib::time::{Time};
import package::queueing::comes_from::{precedes};
import package::queueing::crowds::{HEADS, head_place};
import package::queueing::links::{link_of};
import package::queueing::places::{places};
import package::queueing::precedence::{comes_before};
import package::queueing::records::{NONE, links};
import constants::{WORKGROUP};

const BATCH: u32 = min(WORKGROUP, 256u); // tokens of a crowd decided together
const RUN_LENGTH: u32 = 2u * BATCH;           // tokens sorted at a time

var<workgroup> crowd_list: u32;
var<workgroup> crowd_found: atomic<u32>;
var<workgroup> run_times: array<Time, RUN_LENGTH>;
var<workgroup> run_tokens: array<u32, RUN_LENGTH>;

// Two lists of all entities are kept for crowds, one behind the other; a crowd has its part of both, which may wrap.
fn scratch_place(list: u32) -> u32 { return places.scratch + (list & (places.scratch_size - 1u)); }
fn crowded(list: u32) -> u32 { return atomicLoad(&links[scratch_place(list)]); }
fn set_crowded(list: u32, id: u32) { atomicStore(&links[scratch_place(list)], id); }

// The place of the ordered list of a crowd.
fn ordered_crowd(crowd: u32, size: u32, lane: u32) -> u32 {
    if (lane == 0u) {
        // The place of the list decides nothing.
        crowd_list = atomicAdd(&links[places.scratch - 1u], 2u * size);
        atomicStore(&crowd_found, 0u);
    }
    let list = workgroupUniformLoad(&crowd_list);
    collect(crowd, list, lane);
    storageBarrier();
    for (var first = 0u; first < size; first += RUN_LENGTH) { sort_run(list + first, min(size - first, RUN_LENGTH), lane); }
    var source = list;
    var merged = list + size;
    for (var run = RUN_LENGTH; run < size; run *= 2u) {
        for (var place = lane; place < size; place += WORKGROUP) {
            let id = crowded(source + place);
            set_crowded(merged + merged_place(id, place, source, size, run), id);
        }
        storageBarrier();
        let other = source;
        source = merged;
        merged = other;
    }
    return source;
}

fn collect(crowd: u32, list: u32, lane: u32) {
    for (var head = lane; head < HEADS; head += WORKGROUP) {
        var link = atomicExchange(&links[head_place(crowd, head)], 0u);
        while (link != 0u) {
            set_crowded(list + atomicAdd(&crowd_found, 1u), link - 1u);
            link = link_of(link - 1u);
        }
    }
}

// Sorts up to RUN_LENGTH entities by a bitonic network (Batcher 1968).
fn sort_run(list: u32, count: u32, lane: u32) {
    // The least power of two that is `count` or more, at least 2.
    let size = 2u << firstLeadingBit(max(count, 2u) - 1u);
    for (var place = lane; place < size; place += WORKGROUP) {
        run_tokens[place] = NONE;
        if (place < count) {
            let id = crowded(list + place);
            run_tokens[place] = id;
            run_times[place] = next_event[id];
        }
    }
    workgroupBarrier();
    for (var sorted = 2u; sorted <= size; sorted *= 2u) {
        for (var apart = sorted / 2u; apart > 0u; apart /= 2u) {
            for (var pair = lane; pair < size / 2u; pair += WORKGROUP) { exchange(pair, apart, sorted); }
            workgroupBarrier();
        }
    }
    for (var place = lane; place < count; place += WORKGROUP) { set_crowded(list + place, run_tokens[place]); }
    storageBarrier();
}

fn exchange(pair: u32, apart: u32, sorted: u32) {
    let low = 2u * pair - (pair & (apart - 1u));
    let high = low + apart;
    let a = run_tokens[low];
    let b = run_tokens[high];
    let time_a = run_times[low];
    let time_b = run_times[high];
    // Upwards: the later entity behind; downwards: in front.
    var swaps = goes_before(b, time_b, a, time_a);
    if ((low & sorted) != 0u) { swaps = goes_before(a, time_a, b, time_b); }
    if (!swaps) { return; }
    run_tokens[low] = b;
    run_tokens[high] = a;
    run_times[low] = time_b;
    run_times[high] = time_a;
}

// Places without an entity come last.
fn goes_before(a: u32, time_a: Time, b: u32, time_b: Time) -> bool {
    return a != NONE && (b == NONE || comes_before(a, time_a, b, time_b));
}

// The place of an entity of a run when two ordered runs of a list become one.
fn merged_place(id: u32, place: u32, list: u32, size: u32, run: u32) -> u32 {
    let number = place / run;
    let other = (number ^ 1u) * run;
    var low = min(other, size);
    var high = min(other + run, size);
    while (low < high) {
        let middle = (low + high) / 2u;
        if (precedes(crowded(list + middle), id)) { low = middle + 1u; } else { high = middle; }
    }
    return place - number * run + min(number * run, other) + low - min(other, size);
}
