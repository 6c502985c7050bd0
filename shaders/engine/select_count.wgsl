// engine/select_count (step 3, first half; one workgroup a block of BLOCK entities)
// What: marks the imminent entities of a block, counts them, and reduces the event times of the others.
// Reads: next_event, control.bound.
// Writes: marks: one bit an entity; counts and minima: one word a block.
// Afterwards: counts[b] imminent entities in block b, and no other event of the block before minima[b].

@group(0) @binding(0) var<storage, read_write> control: Control;
@group(0) @binding(1) var<storage, read> next_event: array<Time>;
@group(0) @binding(2) var<storage, read_write> marks: array<u32>;
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;
@group(0) @binding(4) var<storage, read_write> minima: array<Wide>;

const BLOCK: u32 = WORKGROUP * ELEMENTS;
const BLOCK_WORDS: u32 = BLOCK / 32u;

var<workgroup> block_marks: array<atomic<u32>, BLOCK_WORDS>;
var<private> earliest: Time;
var<private> selected: u32;

fn event_of(entity: u32) -> Time {
    if (entity < control.entities) { return next_event[entity]; }
    return never();
}

fn mark(place: u32, time: Time, bound: Time) {
    if (wide_less(time, bound)) {
        atomicOr(&block_marks[place / 32u], 1u << (place % 32u));
        selected += 1u;
    } else {
        earliest = wide_minimum(earliest, time);
    }
}

fn run(block: u32, lane: u32) {
    for (var word = lane; word < BLOCK_WORDS; word += WORKGROUP) { atomicStore(&block_marks[word], 0u); }
    workgroupBarrier();
    let bound = control.bound;
    let first = block * BLOCK;
    earliest = never();
    selected = 0u;
    // Four loads under way at a time.
    for (var place = lane; place < BLOCK; place += 4u * WORKGROUP) {
        let a = event_of(first + place);
        let b = event_of(first + place + WORKGROUP);
        let c = event_of(first + place + 2u * WORKGROUP);
        let d = event_of(first + place + 3u * WORKGROUP);
        mark(place, a, bound);
        mark(place + WORKGROUP, b, bound);
        mark(place + 2u * WORKGROUP, c, bound);
        mark(place + 3u * WORKGROUP, d, bound);
    }
    let count = workgroup_sum(lane, selected);
    let least = workgroup_minimum(lane, earliest);
    // The last row of a folded dispatch may hold workgroups without a block.
    if (block >= control.blocks) { return; }
    for (var word = lane; word < BLOCK_WORDS; word += WORKGROUP) {
        marks[block * BLOCK_WORDS + word] = atomicLoad(&block_marks[word]);
    }
    if (lane == 0u) {
        counts[block] = count;
        minima[block] = least;
    }
}
