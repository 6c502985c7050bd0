// cells/first_blocks (once, when all cells are set; one thread a block)
// Reads: plans. Writes: fronts. Afterwards: the least times of blocks are right.

import package::cells::cell::{plans};
import package::cells::fronts::{block_place, blocks_in_all, put_time};
import package::cells::space::{BLOCK_CELLS, enter};
import package::lib::time::{never};
import package::lib::wide::{wide_minimum};
import constants::{WORKGROUP};

fn run(group: u32, lane: u32) {
    let block = group * WORKGROUP + lane;
    if (block >= blocks_in_all()) { return; }
    var least = never();
    for (var place = 0u; place < BLOCK_CELLS; place += 1u) {
        let slot = block * BLOCK_CELLS + place;
        if (enter(slot)) { least = wide_minimum(least, plans[slot]); }
    }
    put_time(block_place(block), least);
}
