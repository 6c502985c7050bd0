// pathfinding/even: a map on which all free cells cost the same: a byte a cell, whose bit d allows the move to the
// neighbour d.
// Reads: cells.

import package::pathfinding::ground::{DIAGONAL, STRAIGHT, is_diagonal};
import constants::{EVEN_COST};

var<storage, read> cells: array<u32>;

fn moves_of(cell: u32) -> u32 { return (cells[cell >> 2u] >> ((cell & 3u) << 3u)) & 0xffu; }

fn move_cost(from_cell: u32, to_cell: u32, direction: u32) -> u32 {
    return EVEN_COST * select(STRAIGHT, DIAGONAL, is_diagonal(direction));
}
