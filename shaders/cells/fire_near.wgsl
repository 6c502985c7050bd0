// cells/fire_near: the ellipses of the block at work and of the cells around it, under two rows of the weather, in the memory of its
// workgroup; and the time that a way takes by these ellipses, or by the ellipses of any row. Twin of src/fire/paces.rs.

import package::cells::fire_land::{fire, fire_row_at, fire_row_start};
import package::cells::space::{cell_id};
import package::lib::time::{Time, never};
import constants::{AREA, AREA_WIDTH};
import ellipses::{fire_ellipse};
import word64::{wide, wide_add, wide_product, wide_sub};

// Ellipses of the cells of the area under a row of the weather, and under the next row; the last word of each is
// unused.
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
    near[place] = vec4<i32>(ellipse, 0);
    if (is_changing() && near_row + 1u < fire.rows) { near[AREA + place] = vec4<i32>(fire_ellipse(near_row + 1u, cell), 0); }
    if (ellipse.x < 0) { return; }
    // The longer component and half of the other are an upper bound on the length of a vector.
    let along = abs(ellipse.yz);
    let longest = max(along.x, along.y) + min(along.x, along.y) / 2;
    quickest = min(quickest, u32(max(ellipse.x - longest, 0)));
}

// How long a way takes under the row of the area or under the next row: a sixth of it lies in the cell at work, two sixths in each
// of the next two cells, one sixth in the last.
fn near_ticks(way: vec4<i32>, behind: u32) -> Time {
    let own = own_place + behind * AREA;
    let here = near[own].xyz;
    let first = near[own + step_of(way.x, 16u, i32(AREA_WIDTH))].xyz;
    let second = near[own + step_of(way.x, 8u, i32(AREA_WIDTH))].xyz;
    let last = near[own + step_of(way.x, 0u, i32(AREA_WIDTH))].xyz;
    if (min(min(here.x, first.x), min(second.x, last.x)) < 0) { return never(); }
    return ticks_of(here + 2 * (first + second) + last, way);
}

// The same under any row of the weather.
fn way_ticks(row: u32, way: vec4<i32>) -> Time {
    if (row - near_row < 2u) { return near_ticks(way, row - near_row); }
    var all = vec3<i32>(0);
    for (var n = 0u; n < 4u; n += 1u) {
        let ellipse = fire_ellipse(row, cell_id + step_of(way.x, 24u - 8u * n, i32(fire.width)));
        if (ellipse.x < 0) { return never(); }
        all += ellipse << vec3<u32>(select(0u, 1u, n == 1u || n == 2u));
    }
    return ticks_of(all, way);
}

// How far a cell of a way lies from the cell at work in rows of a width, modulo 2^32: columns, then rows, in four bits each.
fn step_of(cells: i32, above: u32, width: i32) -> u32 {
    let byte = cells << above;
    return u32(((byte << 4u) >> 28u) + (byte >> 28u) * width);
}

fn ticks_of(all: vec3<i32>, way: vec4<i32>) -> Time {
    let around = wide_product(u32(all.x), u32(way.y));
    return with_product(with_product(around, all.y, way.z), all.z, way.w);
}

// A sum with a product, modulo 2^64.
fn with_product(sum: Time, a: i32, b: i32) -> Time {
    let product = wide_product(u32(abs(a)), u32(abs(b)));
    if ((a < 0) != (b < 0)) { return wide_sub(sum, product); }
    return wide_add(sum, product);
}
