// pathfinding/ground: where a cell of the map lies. A place is row * 2^16 + column: places order as cells do, row by row.
// Cells lie in tiles of 8 x 8, in which 4 x 2 cells are a sector of 32 bytes: the neighbours of a cell lie in few sectors.
// Reads: parameters. Mirrored in src/pathfinding/gpu/records.rs.

struct Parameters {
    across: u32,        // tiles in a row of tiles
    tiles: u32,         // of the map
    at_once: u32,       // searches under way, each of a thread or a workgroup
    slots: u32,         // of each open list
    expansions: u32,    // after about so many a thread or workgroup ends its part of a round
    path_room: u32,     // words for paths
    unused: vec2<u32>,
}

var<uniform> parameters: Parameters;

const TILE_CELLS: u32 = 64u;
const DIRECTIONS: u32 = 8u;
const STRAIGHT: u32 = 1000000u;
const DIAGONAL: u32 = 1414214u;

fn column_of(place: u32) -> u32 { return place & 0xffffu; }
fn row_of(place: u32) -> u32 { return place >> 16u; }

// The parts of a cell's number from its column and from its row.
fn column_part(column: u32) -> u32 { return (column >> 3u) * TILE_CELLS + ((column & 4u) << 1u) + (column & 3u); }

fn row_part(row: u32) -> u32 {
    return (row >> 3u) * parameters.across * TILE_CELLS + ((row & 6u) << 3u) + ((row & 1u) << 2u);
}

fn cell_of(place: u32) -> u32 { return column_part(column_of(place)) + row_part(row_of(place)); }

// The neighbour in a direction, clockwise from the north, which is the row before; the map has such a place.
fn neighbour(place: u32, direction: u32) -> u32 {
    let east = select(0u, 1u, direction >= 1u && direction <= 3u);
    let west = select(0u, 1u, direction >= 5u);
    let south = select(0u, 1u, direction >= 3u && direction <= 5u);
    let north = select(0u, 1u, direction <= 1u || direction == 7u);
    return place + east - west + ((south - north) << 16u);
}

fn is_diagonal(direction: u32) -> bool { return (direction & 1u) != 0u; }

// Half of the estimate from a place to the goal, over free cells of cost 1.
fn half_left(place: u32, goal: u32) -> u32 {
    let columns = abs(i32(column_of(place)) - i32(column_of(goal)));
    let rows = abs(i32(row_of(place)) - i32(row_of(goal)));
    let short = u32(min(columns, rows));
    return (STRAIGHT / 2u) * (u32(max(columns, rows)) - short) + (DIAGONAL / 2u) * short;
}
