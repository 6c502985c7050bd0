// cells/fire_near: the ellipses of the block at work and of the cells around it, under two rows of the weather, in the memory of its
// workgroup; and the time that a way takes by these ellipses, or by the ellipses of any row. Twin of src/fire/crossing.rs.

import package::cells::fire_land::{fire, fire_row_at, fire_row_start, fire_ways};
import package::cells::space::{cell_id};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_minimum};
import constants::{AREA, AREA_WIDTH};
import ellipses::{fire_ellipse};
import word64::{wide, wide_add, wide_high, wide_less, wide_low, wide_multiply, wide_product, wide_sub};

// The places in fire_ways, behind the ways, of the first way's direction and of the first four stretches of slopes.
const FIRST_DIRECTION: u32 = 128u;
const FIRST_STRETCH: u32 = 256u;

// Ellipses of the cells of the area under a row of the weather, and under the next row.
var<workgroup> near: array<vec4<i32>, 2u * AREA>;
var<private> near_row: u32;    // that row
var<private> near_begin: Time; // when that row begins, and ends
var<private> near_end: Time;
var<private> quickest: u32;    // a lower bound on the units that a front takes through a cell of the area
var<private> own_place: u32;   // of the cell at work, within the area

// Begins with a block: the earliest change in it and around it is at this time.
fn near_block(time: Time) {
    near_row = fire_row_at(time);
    near_begin = wide(0u, 0u);
    near_end = never();
    if (is_changing()) {
        near_begin = fire_row_start(near_row);
        if (near_row + 1u < fire.rows) { near_end = fire_row_start(near_row + 1u); }
    }
    quickest = 0x7fffffffu;
}

// Whether fires have more than one row of the weather.
fn is_changing() -> bool { return fire.drawn == 0u && fire.rows > 1u; }

// Sets a cell at a place of the area, so many columns and rows away from the entered cell.
fn near_cell(place: u32, offset: vec2<i32>) {
    let cell = cell_id + u32(offset.x + offset.y * i32(fire.width));
    let ellipse = fire_ellipse(near_row, cell);
    near[place] = ellipse;
    if (is_changing() && near_row + 1u < fire.rows) { near[AREA + place] = fire_ellipse(near_row + 1u, cell); }
    if (ellipse.x < 0) { return; }
    // The longer component and half of the other are an upper bound on the length of a vector.
    let along = abs(ellipse.yz);
    let longest = max(along.x, along.y) + min(along.x, along.y) / 2;
    quickest = min(quickest, u32(max(ellipse.x - longest, 0)));
}

// How long a way takes under the row of the area or under the next row; of a time that is not below the given one, a lower bound that
// is not either.
fn near_ticks(way: vec4<i32>, behind: u32, most: Time) -> Time {
    let own = own_place + behind * AREA;
    let first = near[own + step_of(way.x, 16u, i32(AREA_WIDTH))];
    let second = near[own + step_of(way.x, 8u, i32(AREA_WIDTH))];
    return over_cells(near[own], first, second, near[own + step_of(way.x, 0u, i32(AREA_WIDTH))], way, most);
}

// The same under any row of the weather.
fn way_ticks(row: u32, way: vec4<i32>) -> Time {
    if (row - near_row < 2u) { return near_ticks(way, row - near_row, never()); }
    let first = fire_ellipse(row, cell_id + step_of(way.x, 16u, i32(fire.width)));
    let second = fire_ellipse(row, cell_id + step_of(way.x, 8u, i32(fire.width)));
    let last = fire_ellipse(row, cell_id + step_of(way.x, 0u, i32(fire.width)));
    return over_cells(fire_ellipse(row, cell_id), first, second, last, way, never());
}

// A sixth of a way lies in the cell at work, two sixths in each of the next two cells, one sixth in the last. Never where it leads
// through a cell or over a corner that no fire crosses.
fn over_cells(own: vec4<i32>, first: vec4<i32>, second: vec4<i32>, last: vec4<i32>, way: vec4<i32>, most: Time) -> Time {
    let corners = way.y >> 16u;
    let closed = ((own.w & corners) | (first.w & (corners >> 4u)) | (second.w & (corners >> 8u))) & 15;
    let is_closed = (closed != 0) | (min(min(own.x, first.x), min(second.x, last.x)) < 0);
    let is_level = ((own.w | first.w | second.w | last.w) >> 4u) == 0;
    var ticks = ticks_of(own.xyz + 2 * (first.xyz + second.xyz) + last.xyz, way);
    if (!is_closed & !is_level & wide_less(ticks, most)) {
        ticks = over_slopes(array<vec4<i32>, 4>(own, first, second, last), way);
    }
    return select(ticks, never(), is_closed);
}

// Each of the three sums is rounded down, which takes less than the length of the way from the time. So 3 is added to the sum of a: no time is
// less than on level ground.
fn over_slopes(cells: array<vec4<i32>, 4>, way: vec4<i32>) -> Time {
    let direction = fire_ways[FIRST_DIRECTION + (u32(way.x) & 0xffu)].xy;
    var around = wide(0u, 0u);
    var east = wide(0u, 0u);
    var south = wide(0u, 0u);
    for (var n = 0u; n < 4u; n += 1u) {
        let share = select(1u, 2u, n == 1u || n == 2u);
        let factor = i32(share * stretch(cells[n].w, direction));
        around = with_product(around, factor, cells[n].x);
        east = with_product(east, factor, cells[n].y);
        south = with_product(south, factor, cells[n].z);
    }
    around = wide_multiply(wide_add(whole(around), wide(3u, 0u)), wide(u32(way.y & 0xffff), 0u));
    east = wide_multiply(whole(east), wide(u32(way.z), u32(way.z >> 31u)));
    south = wide_multiply(whole(south), wide(u32(way.w), u32(way.w >> 31u)));
    return wide_minimum(wide_add(wide_add(around, east), south), wide(0xffffffffu, 0xffffu));
}

// A sum in units of 2^-14 in whole ones, rounded down.
fn whole(sum: Time) -> Time {
    return wide((wide_low(sum) >> 14u) | (wide_high(sum) << 18u), u32(i32(wide_high(sum)) >> 14u));
}

// How much longer a way is over a slope than on the map, in units of 2^-14. Twin of src/fire/inclines.rs.
fn stretch(incline: i32, direction: vec2<i32>) -> u32 {
    let rise = u32(abs((incline >> 18u) * direction.x + ((incline << 14u) >> 18u) * direction.y)) >> 12u;
    return u32(fire_ways[FIRST_STRETCH + rise / 4u][rise % 4u]);
}

// How far a cell of a way lies from the cell at work in rows of a width, modulo 2^32: columns, then rows, in four bits each.
fn step_of(cells: i32, above: u32, width: i32) -> u32 {
    let byte = cells << above;
    return u32(((byte << 4u) >> 28u) + (byte >> 28u) * width);
}

fn ticks_of(all: vec3<i32>, way: vec4<i32>) -> Time {
    let around = wide_product(u32(all.x), u32(way.y & 0xffff));
    return with_product(with_product(around, all.y, way.z), all.z, way.w);
}

// A sum with a product, modulo 2^64: what a sign adds to its factor, 2^32, is taken from the high word.
fn with_product(sum: Time, a: i32, b: i32) -> Time {
    let above = (u32(b) & u32(a >> 31u)) + (u32(a) & u32(b >> 31u));
    return wide_sub(wide_add(sum, wide_product(u32(a), u32(b))), wide(0u, above));
}
