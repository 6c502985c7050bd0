// pathfinding/known: the least cost that a search knows of each cell, in a word: the lower 31 bits of the cost below a bit
// that is 1. 0 is an unknown cell. Two costs of one cell in one search differ by less than 2^30, so these bits order them
// (docs/semantics.md). A thread or a workgroup is at work on one search at a time, and leaves all words 0 for the next.
// Reads and writes: costs, works, of this search only.

import package::pathfinding::ground::{TILE_CELLS, parameters};
import package::pathfinding::works::{TOUCHED_AT, word_at, work, works};
import constants::{WORKGROUP};

const KNOWN: u32 = 0x80000000u;

var<storage, read_write> costs: array<u32>;

fn known_cost(cell: u32) -> u32 { return costs[work.first_cost + cell]; }
fn stamp_of(low: u32) -> u32 { return low | KNOWN; }

// Whether a cost is below a known one.
fn is_less(stamp: u32, known: u32) -> bool { return bitcast<i32>((stamp - known) << 1u) < 0; }

// `known` is the cell's word before.
fn set_known(cell: u32, known: u32, stamp: u32) {
    costs[work.first_cost + cell] = stamp;
    if (known == 0u) {
        let tile = cell / TILE_CELLS;
        atomicOr(&works[work.first_word + TOUCHED_AT + tile / 32u], 1u << (tile % 32u));
    }
}

// A thread forgets every cell.
fn forget_tiles() {
    for (var word = 0u; word * 32u < parameters.tiles; word += 1u) {
        forget(word, 0u, 1u);
        forget_word(word);
    }
}

// The lanes of a workgroup forget every cell, a tile after the other.
fn forget_together(lane: u32) {
    for (var word = 0u; word * 32u < parameters.tiles; word += 1u) { forget(word, lane, WORKGROUP); }
    storageBarrier();
    for (var word = lane; word * 32u < parameters.tiles; word += WORKGROUP) { forget_word(word); }
    storageBarrier();
}

// Of each tile of a word with a known cell, forgets the cells from `first` on, each `stride` behind the one before.
fn forget(word: u32, first: u32, stride: u32) {
    var bits = word_at(work.first_word + TOUCHED_AT + word);
    while (bits != 0u) {
        let tile = word * 32u + firstTrailingBit(bits);
        bits &= bits - 1u;
        for (var cell = first; cell < TILE_CELLS; cell += stride) { costs[work.first_cost + tile * TILE_CELLS + cell] = 0u; }
    }
}

fn forget_word(word: u32) { atomicStore(&works[work.first_word + TOUCHED_AT + word], 0u); }
