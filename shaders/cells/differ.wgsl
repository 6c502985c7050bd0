// cells/differ (once, after cells/copy; one thread a cell that starts otherwise)
// Reads: differences. Writes: plans, cells. Afterwards: every cell is as the model wants it at time 0.

import package::cells::cell::{cells, plans};
import package::cells::space::{space};
import constants::{WORKGROUP};
import word64::{wide};

var<storage, read> differences: array<u32>; // of each cell: slot, next event, state, output

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
