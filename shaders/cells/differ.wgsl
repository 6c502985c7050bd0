// cells/differ (once, after cells/copy; one thread a cell that starts otherwise)
// Reads: differences. Writes: plans, cells. Afterwards: every cell is as the model wants it at time 0.

@group(0) @binding(1) var<storage, read_write> plans: array<Time>;
@group(0) @binding(4) var<storage, read_write> cells: array<u32>;
@group(0) @binding(5) var<storage, read> differences: array<u32>; // of each: slot, next event, state, output

fn run(group: u32, lane: u32) {
    let number = group * WORKGROUP + lane;
    if (number >= space.differences) { return; }
    let first = number * (space.words + 3u);
    let slot = differences[first];
    plans[slot] = wide(differences[first + 1u], differences[first + 2u]);
    for (var word = 3u; word < space.words + 3u; word += 1u) {
        cells[(word - 3u) * space.slots + slot] = differences[first + word];
    }
}
