// cells/space: where cells are stored, and which cells hear each other.
// A space is cut into blocks of BLOCK_CELLS cells, tiles of one plane; a block's cells lie side by side, row after row. A row of
// blocks of one plane is followed by the same row of the next plane, and the blocks of a replication by the blocks of the next. The
// last blocks of a row or column may have slots without a cell.

struct Space {
    size: vec4<i32>,      // columns, rows, planes; whether they wrap
    tile: vec2<u32>,      // columns of a block, a power of two, as its logarithm; rows
    across: u32,          // blocks in a row of blocks
    planes: u32,          // of the space
    blocks: u32,          // of a replication
    groups: u32,          // workgroups of a replication
    replications: u32,
    first: u32,           // the number of the first workgroup
    slots: u32,           // of all replications
    apart: i32,           // a cell within so many columns and rows of the edge of its block may be heard in another
    pattern: u32,        // slots of the cells that replications start from
    differences: u32,     // cells that start otherwise
    reach: vec4<i32>,     // how far, along each axis, a cell is at most that this cell could meet
    step: vec4<i32>,      // how far a cell hears, along each axis
    around: vec4<u32>,    // how far to look around a cell that is to go before others
    furthest: vec2<u32>,  // no event so long behind the earliest may go, in ticks
    hops: u32,            // lookaheads that an event needs from beyond the cells looked at
    words: u32,           // of state and output
    log: vec2<u32>,       // entries of a group, and those that a round may need
    neighbours: u32,      // of a cell
    coarse: u32,          // low bits of a time that first passages leave out of urgency, from 1 to 31
    patience: u32,        // ... and how much less urgent than the most urgent a block at work may be
    parts: u32,           // into which the blocks and the groups of a replication are cut, see cells/groups
    offsets: array<vec4<i32>, 256>,
}

var<uniform> space: Space;

const BLOCK_CELLS: u32 = 64u;
const NOWHERE: u32 = 0xffffffffu;

var<private> here: vec3<i32>;   // column, row and plane of the cell at work
var<private> blocks_before: u32; // blocks of earlier replications
var<private> cell_id: u32;
var<private> replication: u32;

// Turns to a slot; returns whether the slot has a cell.
fn enter(slot: u32) -> bool {
    let block = slot / BLOCK_CELLS;
    let place = slot % BLOCK_CELLS;
    let own = block / space.blocks;
    let within = block - own * space.blocks;
    blocks_before = own * space.blocks;
    replication = space.first + own;
    let row = within / (space.across * space.planes);
    let rest = within - row * space.across * space.planes;
    let plane = rest / space.across;
    let x = ((rest - plane * space.across) << space.tile.x) + (place & ((1u << space.tile.x) - 1u));
    let y = row * space.tile.y + (place >> space.tile.x);
    here = vec3<i32>(i32(x), i32(y), i32(plane));
    cell_id = x + u32(space.size.x) * (y + u32(space.size.y) * plane);
    return here.x < space.size.x && here.y < space.size.y;
}

fn along(place: i32, size: i32, wraps: bool) -> i32 {
    if (place >= 0 && place < size) { return place; }
    if (!wraps) { return -1; }
    return ((place % size) + size) % size;
}

// The slot of the cell at an offset from this one, or NOWHERE.
fn slot_at(offset: vec3<i32>) -> u32 {
    let wraps = space.size.w != 0;
    let x = along(here.x + offset.x, space.size.x, wraps);
    let y = along(here.y + offset.y, space.size.y, wraps);
    let z = along(here.z + offset.z, space.size.z, wraps);
    if (x < 0 || y < 0 || z < 0) { return NOWHERE; }
    let row = u32(y) / space.tile.y;
    let block = (row * space.planes + u32(z)) * space.across + (u32(x) >> space.tile.x);
    let place = ((u32(y) - row * space.tile.y) << space.tile.x) + (u32(x) & ((1u << space.tile.x) - 1u));
    return (blocks_before + block) * BLOCK_CELLS + place;
}

fn neighbour_slot(n: u32) -> u32 { return slot_at(space.offsets[n].xyz); }
