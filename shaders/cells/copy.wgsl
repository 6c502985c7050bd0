// cells/copy (once; one thread a slot)
// What: gives every replication the start of the first one.
// Reads: starts. Writes: plans, cells. Afterwards: replications are alike.

@group(0) @binding(1) var<storage, read_write> plans: array<Time>;
@group(0) @binding(4) var<storage, read_write> cells: array<u32>;
@group(0) @binding(5) var<storage, read> starts: array<u32>; // in planes: the next event, state, output

fn run(group: u32, lane: u32) {
    let slot = group * WORKGROUP + lane;
    if (slot >= space.slots) { return; }
    let there = slot % space.pattern;
    plans[slot] = wide(starts[there], starts[space.pattern + there]);
    for (var word = 0u; word < space.words; word += 1u) {
        cells[word * space.slots + slot] = starts[(word + 2u) * space.pattern + there];
    }
}
