// cells/uneven: models whose cells have lookaheads of their own.

import package::cells::space::{BLOCK_CELLS, space};
import package::lib::time::{Time};
import word64::{wide, wide_multiply};

// For each slot of a replication the least lookahead of all cells around; behind these the greatest of each block.
var<storage, read> lookaheads: array<Time>;

fn lookahead_around(slot: u32) -> Time { return lookaheads[slot % (space.blocks * BLOCK_CELLS)]; }
fn furthest_of(slot: u32) -> Time { return wide_multiply(wide(space.hops, 0u), lookahead_around(slot)); }

fn furthest_in(block: u32) -> Time {
    return wide_multiply(wide(space.hops, 0u), lookaheads[space.blocks * BLOCK_CELLS + block]);
}
