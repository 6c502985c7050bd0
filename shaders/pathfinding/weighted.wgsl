// pathfinding/weighted: a map on which cells cost differently: two bytes a cell. Bit d of the lower byte allows the move
// to the neighbour d; the higher byte is the cost.
// Reads: cells.

import package::pathfinding::ground::{DIAGONAL, STRAIGHT, is_diagonal};

var<storage, read> cells: array<u32>;

fn record_of(cell: u32) -> u32 { return cells[cell >> 1u] >> ((cell & 1u) << 4u); }
fn moves_of(cell: u32) -> u32 { return record_of(cell) & 0xffu; }

fn move_cost(from_cell: u32, to_cell: u32, direction: u32) -> u32 {
    let both = ((record_of(from_cell) >> 8u) & 0xffu) + ((record_of(to_cell) >> 8u) & 0xffu);
    return both * select(STRAIGHT / 2u, DIAGONAL / 2u, is_diagonal(direction));
}
