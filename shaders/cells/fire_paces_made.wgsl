// cells/fire_paces_made: ellipses of cells, each made where a front needs it. Twin of src/fire/beds.rs.

import package::cells::fire_land::{fire, fire_ways};
import package::lib::divide::{wide_divide};
import package::lib::root::{root_above};
import package::lib::wide::{wide_minimum, wide_shift_right};
import word64::{wide, wide_add, wide_low, wide_product};

// The part of a cell that no weather changes: its kind of fuel, -1 where nothing burns; the push of its slope toward east and toward
// south; the share of the wind's push that reaches it. Behind all cells lie, four in each, their slopes.
var<storage, read> fire_grounds: array<vec4<i32>>;

// In fire_ways, behind the stretches, two words for every row of the weather and every kind of fuel: how long a fire takes without wind and
// slope, -1 where nothing burns, the push of the wind toward east and toward south, the largest push; how much stronger the wind in the
// open is, 0 where it does not count. Behind them, for each kind, by the factor, how much longer a fire takes around than ahead.
const FIRST_BED: u32 = 3160u;
const SHAPE_WORDS: u32 = 3969u;
const SLOWEST_HEAD: u32 = 268369920u; // 4,095 minutes
const LARGEST: u32 = 0x10000000u;     // an upper bound on a

// The ellipse of a cell under a row, and its slope with its corners.
fn fire_ellipse(row: u32, cell: u32) -> vec4<i32> {
    let nowhere = vec4<i32>(-1, 0, 0, 0);
    let ground = fire_grounds[cell];
    let found = fire_head(row, ground);
    if (found.head == NO_HEAD) { return nowhere; }
    let open = u32(fire_ways[bed_of(row, ground) + 1u].x);
    var counted = found.factor;
    if (open != 0u) { counted = in_the_open(counted, open, u32(ground.w)); }
    let longer_by = wide_shift_right(wide_product(found.head, longer(u32(ground.x) * SHAPE_WORDS, counted)), 16u);
    let along = wide_low(wide_minimum(longer_by, wide(LARGEST - found.head, 0u)));
    let axes = vec2<i32>(part(along, found.push.x, found.length), part(along, found.push.y, found.length));
    return vec4<i32>(i32(found.head + along), axes, fire_grounds[fire.cells + cell / 4u][cell % 4u] | closed_corners(row, cell));
}

// The corners of a cell over which no fire comes or goes: no fire crosses either of the two other cells there.
fn closed_corners(row: u32, cell: u32) -> i32 {
    let x = vec2<bool>(crosses(row, cell - 1u), crosses(row, cell + 1u));
    let y = vec2<bool>(crosses(row, cell - fire.width), crosses(row, cell + fire.width));
    return select(1, 0, x.x || y.x) | select(2, 0, x.y || y.x) | select(4, 0, x.x || y.y) | select(8, 0, x.y || y.y);
}

// Whether a fire crosses a cell; what lies beyond the landscape does not matter.
fn crosses(row: u32, cell: u32) -> bool {
    if (cell >= fire.cells) { return false; }
    let ground = fire_grounds[cell];
    if (ground.x < 0) { return false; }
    // Wind and slope only make it faster.
    let still = fire_ways[bed_of(row, ground)].x;
    return still >= 0 && (u32(still) <= SLOWEST_HEAD || fire_head(row, ground).head != NO_HEAD);
}

// The head of a fire: the push of wind and slope, its length and what of it counts, and the time from one side of a cell to the other.
struct Head { push: vec2<i32>, length: u32, factor: u32, head: u32 }

const NO_HEAD: u32 = 0xffffffffu;

fn fire_head(row: u32, ground: vec4<i32>) -> Head {
    var found = Head(vec2<i32>(0), 0u, 0u, NO_HEAD);
    if (ground.x < 0) { return found; }
    let bed = fire_ways[bed_of(row, ground)];
    if (bed.x < 0) { return found; }
    let share = u32(ground.w);
    found.push = ground.yz + vec2<i32>(below(bed.y, share), below(bed.z, share));
    let sizes = vec2<u32>(abs(found.push));
    found.length = root_above(wide_add(wide_product(sizes.x, sizes.x), wide_product(sizes.y, sizes.y)));
    found.factor = min(found.length, u32(bed.w));
    let head = max(wide_low(wide_divide(wide_product(u32(bed.x), 16384u), 16384u + found.factor)), 1u);
    if (head <= SLOWEST_HEAD) { found.head = head; }
    return found;
}

fn bed_of(row: u32, ground: vec4<i32>) -> u32 { return FIRST_BED + 2u * (row * fire.kinds + u32(ground.x)); }

// The part of a wind's push that reaches a cell.
fn below(push: i32, share: u32) -> i32 {
    let size = i32(wide_low(wide_shift_right(wide_product(u32(abs(push)), share), 24u)));
    return select(size, -size, push < 0);
}

// The component of a length along an axis.
fn part(along: u32, push: i32, length: u32) -> i32 {
    if (length == 0u) { return 0; }
    let size = i32(wide_low(wide_divide(wide_product(along, u32(abs(push))), length)));
    return select(size, -size, push < 0);
}

// The factor of the wind in the open.
fn in_the_open(factor: u32, open: u32, share: u32) -> u32 {
    let most = wide(0x7fffffffu, 0u);
    let above = wide_low(wide_minimum(wide_shift_right(wide_product(factor, open), 16u), most));
    return wide_low(wide_minimum(wide_divide(wide_product(above, 1u << 24u), share), most));
}

// How much longer a fire of a factor takes around than ahead, interpolated between two places of the table.
fn longer(table: u32, factor: u32) -> u32 {
    if (factor == 0u) { return 0u; }
    let doubling = firstLeadingBit(factor);
    let mantissa = factor << (31u - doubling);
    let place = table + ((doubling << 7u) | ((mantissa << 1u) >> 25u));
    let rest = (mantissa << 8u) >> 20u;
    let low = shape(place);
    // The entries of a table never fall.
    let more = max(shape(place + 1u), low) - low;
    return low + wide_low(wide_shift_right(wide_product(more, rest), 12u));
}

// A word of the tables of shapes.
fn shape(place: u32) -> u32 { return u32(fire_ways[FIRST_BED + 2u * fire.rows * fire.kinds + place / 4u][place % 4u]); }
