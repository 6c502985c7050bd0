// cells/fire_fronts: when a front reaches a cell over an edge between two of its neighbours. Twin of
// src/fire/fronts.rs.

import package::cells::fire_land::{fire, fire_row_at, fire_row_start, fire_ways};
import package::cells::fire_near::{
    is_changing, near_begin, near_block, near_cell, near_end, near_ticks, own_place, quickest, way_ticks,
};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_minimum, wide_shift_right};
import word64::{wide, wide_add, wide_less, wide_low, wide_multiply, wide_product, wide_sub};
import workgroup::{workgroup_minimum};

const POINTS: u32 = 4u;
// The parts of a way within which the weather may change, as a logarithm.
const PARTS: u32 = 16u;
// Neighbours of the inner ring, one cell away; the outer one is three away.
const INNER: u32 = 8u;
const OUTER: u32 = 24u;

// The two neighbours of an edge.
fn front_ends(edge: u32) -> vec2<u32> {
    if (edge < INNER) { return vec2<u32>(edge, (edge + 1u) % INNER); }
    return vec2<u32>(edge, INNER + (edge - INNER + 1u) % OUTER);
}

// Begins with a block: the earliest change in it and around it is at this time.
fn front_begin(time: Time) { near_block(time); }

// Sets a cell at a place of the area, so many columns and rows away from the entered cell.
fn front_cell(place: u32, offset: vec2<i32>) { near_cell(place, offset); }

// All cells of the area have been set. Under later rows of the weather a front may be quicker.
fn front_ready(lane: u32) {
    quickest = wide_low(workgroup_minimum(lane, wide(quickest, 0u)));
    if (is_changing()) { quickest = fire.quickest; }
}

// A lower bound on the time that a front takes over an edge. What rounding may lose is less than a 64th.
fn front_least(edge: u32) -> Time { return wide_product(quickest * select(3u, 1u, edge < INNER), 64512u); }

// When the first front arrives over an edge at the entered cell, which lies at a place of its area; the front passes the ends of
// the edge at the two given times, the first of them before the horizon. An arrival no sooner than the known time does not
// matter.
fn front_over(place: u32, edge: u32, begin: Time, end: Time, known: Time) -> Time {
    own_place = place;
    let points = select(1u, POINTS, wide_less(end, never()));
    let shortest = front_least(edge);
    var least = known;
    for (var point = 0u; point < points; point += 1u) {
        var out = begin;
        if (point > 0u) {
            // Times before the horizon are below 2^60.
            let four = wide_add(wide_multiply(wide(POINTS - point, 0u), begin), wide_multiply(wide(point, 0u), end));
            out = wide_shift_right(four, 2u);
        }
        if (!wide_less(wide_add(out, shortest), least)) { continue; }
        least = wide_minimum(least, front_arrival(out, fire_ways[POINTS * edge + point], least));
    }
    return least;
}

// When a front arrives that sets out at a given time, under the weather in force on each part of its way; never where it arrives no
// sooner than the known time.
fn front_arrival(out: Time, way: vec4<i32>, known: Time) -> Time {
    if (!wide_less(out, near_begin) && wide_less(out, near_end)) {
        let ticks = near_ticks(way, 0u, wide_sub(known, out));
        let arrival = select(never(), wide_add(out, ticks), wide_less(ticks, never()));
        if (!wide_less(near_end, arrival)) { return arrival; }
    }
    return turning_arrival(out, way, known);
}

// The same where the weather changes on the way, or where another row is in force.
fn turning_arrival(out: Time, way: vec4<i32>, known: Time) -> Time {
    var row = fire_row_at(out);
    var now = out;
    var left = 1u << PARTS;
    var ticks = way_ticks(row, way);
    while (row + 1u < fire.rows) {
        let turn = fire_row_start(row + 1u);
        if (wide_less(ticks, never())) {
            let arrival = wide_add(now, rest_of(ticks, left));
            if (!wide_less(turn, arrival)) { return arrival; }
            left -= share(wide_sub(turn, now), ticks);
        }
        if (!wide_less(turn, known)) { return never(); }
        now = turn;
        row += 1u;
        ticks = way_ticks(row, way);
    }
    if (!wide_less(ticks, never())) { return never(); }
    return wide_add(now, rest_of(ticks, left));
}

// How long the rest of a way takes, rounded down.
fn rest_of(ticks: Time, left: u32) -> Time { return wide_shift_right(wide_multiply(ticks, wide(left, 0u)), PARTS); }

// How many parts of a way have passed, rounded down.
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
