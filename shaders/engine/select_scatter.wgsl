// engine/select_scatter (step 3, second half; one workgroup a block)
// What: writes the marked entities of a block behind those of all blocks before it.
// Reads: marks, counts.
// Writes: imminent; the last block also control.selected, groups and events and the sizes of steps 4 and 5.
// Afterwards: imminent[0 .. selected) holds the imminent entities in id order.

@group(0) @binding(0) var<storage, read_write> control: Control;
@group(0) @binding(1) var<storage, read> marks: array<u32>;
@group(0) @binding(2) var<storage, read> counts: array<u32>;
@group(0) @binding(3) var<storage, read_write> imminent: array<u32>;
@group(0) @binding(4) var<storage, read_write> dispatch_imminent: array<u32, 3>;

const BLOCK: u32 = WORKGROUP * ELEMENTS;
const BLOCK_WORDS: u32 = BLOCK / 32u;

fn run(block: u32, lane: u32) {
    let blocks = control.blocks;
    var before = 0u;
    for (var i = lane; i < min(block, blocks); i += WORKGROUP) { before += counts[i]; }
    var place = workgroup_sum(lane, before);
    for (var first = 0u; first < BLOCK_WORDS; first += WORKGROUP) {
        let word = first + lane;
        var bits = 0u;
        if (word < BLOCK_WORDS && block < blocks) { bits = marks[block * BLOCK_WORDS + word]; }
        let prefix = workgroup_prefix(lane, countOneBits(bits));
        write_marked(bits, block * BLOCK + word * 32u, place + prefix.x);
        place += prefix.y;
    }
    if (lane == 0u && block == blocks - 1u) { finish(place); }
}

fn write_marked(marked: u32, first: u32, place: u32) {
    var bits = marked;
    var at = place;
    while (bits != 0u) {
        imminent[at] = first + countTrailingZeros(bits);
        at += 1u;
        bits &= bits - 1u;
    }
}

fn finish(selected: u32) {
    let groups = min((selected + WORKGROUP - 1u) / WORKGROUP, MOST_GROUPS);
    control.selected = selected;
    control.groups = groups;
    control.events = wide_add(control.events, wide(selected, 0u));
    dispatch_imminent[0] = groups;
}
