// cells/fire_fronts: how long a front takes to a cell over an edge of two neighbours. Twin of src/cells/fire/fronts.rs and
// src/cells/fire/paces.rs.

import package::cells::fire_land::{fire, fire_row_at, fire_row_start};
import package::cells::space::{cell_id};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_minimum, wide_shift_right};
import word64::{wide, wide_add, wide_less, wide_multiply, wide_product, wide_sub};

// For every row of the weather and every cell its ellipse: a, -1 where no fire crosses it; b toward east and toward south.
var<storage, read> fire_paces: array<vec4<i32>>;
// Two words a way, POINTS ways an edge: the cells that it crosses, as far behind the cell to which it leads, and its length; its
// direction, and the neighbours where its edge begins and ends.
var<storage, read> fire_ways: array<vec4<i32>>;

const POINTS: u32 = 4u;
// Parts of a way that the weather tells apart, as a logarithm.
const PARTS: u32 = 16u;

// The neighbours of an edge.
fn front_ends(edge: u32) -> vec2<u32> { return vec2<u32>(fire_ways[2u * POINTS * edge + 1u].zw); }

// When the first front arrives over an edge whose ends it passes at these times; the first is before the horizon.
fn front_over(edge: u32, begin: Time, end: Time) -> Time {
    let points = select(1u, POINTS, wide_less(end, never()));
    var least = never();
    for (var point = 0u; point < points; point += 1u) {
        var out = begin;
        if (point > 0u) {
            // Times before the horizon are below 2^60.
            let four = wide_add(wide_multiply(wide(POINTS - point, 0u), begin), wide_multiply(wide(point, 0u), end));
            out = wide_shift_right(four, 2u);
        }
        least = wide_minimum(least, front_arrival(out, POINTS * edge + point));
    }
    return least;
}

// When a front arrives that sets out at a time, by the weather that is in force on each part of its way.
fn front_arrival(out: Time, way: u32) -> Time {
    var row = fire_row_at(out);
    var ticks = way_ticks(row, way);
    if (fire.drawn != 0u || row + 1u == fire.rows) { return later(out, ticks); }
    var now = out;
    var left = 1u << PARTS;
    loop {
        if (row + 1u == fire.rows) { break; }
        let turn = fire_row_start(row + 1u);
        if (wide_less(ticks, never())) {
            let arrival = wide_add(now, rest_of(ticks, left));
            if (!wide_less(turn, arrival)) { return arrival; }
            left -= share(wide_sub(turn, now), ticks);
        }
        now = turn;
        row += 1u;
        ticks = way_ticks(row, way);
    }
    if (!wide_less(ticks, never())) { return never(); }
    return wide_add(now, rest_of(ticks, left));
}

fn later(out: Time, ticks: Time) -> Time {
    if (!wide_less(ticks, never())) { return never(); }
    return wide_add(out, ticks);
}

// How long a way takes under a row of the weather.
fn way_ticks(row: u32, way: u32) -> Time {
    let own = row * fire.cells + cell_id;
    let across = fire_ways[2u * way];
    let along = fire_ways[2u * way + 1u];
    let here = fire_paces[own].xyz;
    let first = fire_paces[own + u32(across.x)].xyz;
    let second = fire_paces[own + u32(across.y)].xyz;
    let last = fire_paces[own + u32(across.z)].xyz;
    if (min(min(here.x, first.x), min(second.x, last.x)) < 0) { return never(); }
    let all = here + 2 * (first + second) + last;
    let around = wide_product(u32(all.x), u32(across.w));
    return with_product(with_product(around, all.y, along.x), all.z, along.y);
}

// A sum with a product, modulo 2^64.
fn with_product(sum: Time, a: i32, b: i32) -> Time {
    let product = wide_product(u32(abs(a)), u32(abs(b)));
    if ((a < 0) != (b < 0)) { return wide_sub(sum, product); }
    return wide_add(sum, product);
}

// How long what is left of a way takes, rounded down.
fn rest_of(ticks: Time, left: u32) -> Time { return wide_shift_right(wide_multiply(ticks, wide(left, 0u)), PARTS); }

// The parts of a way that have passed of one that takes longer, rounded down.
fn share(passed: Time, ticks: Time) -> u32 {
    var quotient = 0u;
    var rest = passed;
    for (var bit = 0u; bit < PARTS; bit += 1u) {
        rest = wide_add(rest, rest);
        quotient <<= 1u;
        if (!wide_less(rest, ticks)) {
            rest = wide_sub(rest, ticks);
            quotient |= 1u;
        }
    }
    return quotient;
}
