// pathfinding/known: the least cost that a search knows of each cell, in a word: its lower 31 bits below a bit that is 1.
// 0 is a cell that it does not know. Two costs of one cell in one search differ by less than 2^30, so these bits order
// them (docs/semantics.md). A thread or a workgroup is at work on one search at a time, and leaves all words 0 for the next.
// Reads and writes: costs, works, of this search only.

import package::pathfinding::ground::{TILE_CELLS, parameters};
import package::pathfinding::works::{TOUCHED_AT, work, works};

const KNOWN: u32 = 0x80000000u;

var<storage, read_write> costs: array<u32>;

fn known_cost(cell: u32) -> u32 { return costs[work.first_cost + cell]; }
fn stamp_of(low: u32) -> u32 { return low | KNOWN; }

// Whether a cost is below a known one.
fn is_less(stamp: u32, known: u32) -> bool { return bitcast<i32>((stamp - known) << 1u) < 0; }

// `known` is what the cell had before.
fn set_known(cell: u32, known: u32, stamp: u32) {
    costs[work.first_cost + cell] = stamp;
    if (known == 0u) {
        let tile = cell / TILE_CELLS;
        atomicOr(&works[work.first_word + TOUCHED_AT + tile / 32u], 1u << (tile % 32u));
    }
}

// Forgets every cell of each word of tiles from the first on that is so many behind the one before.
fn forget_tiles(first: u32, stride: u32) {
    for (var word = first; word * 32u < parameters.tiles; word += stride) {
        var bits = atomicLoad(&works[work.first_word + TOUCHED_AT + word]);
        atomicStore(&works[work.first_word + TOUCHED_AT + word], 0u);
        while (bits != 0u) {
            let tile = word * 32u + firstTrailingBit(bits);
            bits &= bits - 1u;
            for (var cell = 0u; cell < TILE_CELLS; cell += 1u) { costs[work.first_cost + tile * TILE_CELLS + cell] = 0u; }
        }
    }
}
