// cells/copy (once; one thread a slot)
// What: gives every replication the start of the first one.
// Reads: starts. Writes: plans, cells. Afterwards: replications are alike.

import package::cells::cell::{cells, plans};
import package::cells::space::{space};
import constants::{WORKGROUP};
import word64::{wide};

var<storage, read> starts: array<u32>; // in planes: the next event, state, output

fn run(group: u32, lane: u32) {
    let slot = group * WORKGROUP + lane;
    if (slot >= space.slots) { return; }
    let there = slot % space.pattern;
    plans[slot] = wide(starts[there], starts[space.pattern + there]);
    for (var word = 0u; word < space.words; word += 1u) {
        cells[word * space.slots + slot] = starts[(word + 2u) * space.pattern + there];
    }
}
