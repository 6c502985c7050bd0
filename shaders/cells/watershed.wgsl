// cells/watershed: rain on a terrain (after the model of Zeigler et al. and Wainer: terrain below, water above). Water is
// counted in 2^-10 mm. A water cell publishes its depth and its outflow to the north, west, east and south; a terrain cell
// publishes its height. Outflow leaves a cell and enters its neighbour in the same transitions, so no water is lost or
// made.

import package::cells::cell::{
    neighbour_arrives, neighbour_exists, neighbour_word, now, output_word, set_output, set_state_word, state_word,
};
import package::cells::space::{cell_id};
import package::lib::time::{Time, never};
import package::lib::wide::{multiply_high, wide_differs, wide_xor};
import faults::{raise};
import word64::{wide, wide_add, wide_high, wide_less, wide_low, wide_multiply};

struct Watershed {
    step: vec2<u32>,      // ticks
    rain_until: vec2<u32>, // the end of the last step with rain
    rain_part: vec2<u32>, // of a unit in a step, in 2^-64, and the same for every step of a time
    rain_spread: vec2<u32>,
    soil_part: vec2<u32>,
    soil_spread: vec2<u32>,
    rain: u32,            // whole units of a step
    rain_last: u32,       // of the last step
    soil: u32,            // whole units that the soil takes in a step
    flow: u32,            // the share of a difference of levels that flows in a step, in 2^-32
    shift: u32,           // factors of two in the ticks of a step
    runs: u32,            // 1: it is a share of the water, where the ground falls by more than that
    unused: vec2<u32>,
}

var<uniform> watershed: Watershed;

const WATER: u32 = 0u;
const SOAKED: u32 = 1u;  // two words: the water that the soil has taken
const LEAVING: u32 = 3u; // to each side
const MOST_WATER: u32 = 0x40000000u;
const FAULT_FLOOD: u32 = 1u;

fn leaving(cell: u32) -> u32 {
    return state_word(cell, LEAVING) + state_word(cell, LEAVING + 1u) + state_word(cell, LEAVING + 2u)
        + state_word(cell, LEAVING + 3u);
}

fn cell_output(cell: u32) -> bool {
    let left = leaving(cell);
    let stays = state_word(cell, WATER) - left;
    if (left == 0u && output_word(cell, 0u) == stays && output_leaving(cell) == 0u) { return false; }
    set_output(cell, 0u, stays);
    for (var side = 0u; side < 4u; side += 1u) { set_output(cell, 1u + side, state_word(cell, LEAVING + side)); }
    return true;
}

fn output_leaving(cell: u32) -> u32 {
    return output_word(cell, 1u) | output_word(cell, 2u) | output_word(cell, 3u) | output_word(cell, 4u);
}

fn rain_until() -> Time { return wide(watershed.rain_until.x, watershed.rain_until.y); }

fn raining(time: Time) -> bool { return !wide_less(rain_until(), time); }

// Whether the fractions of a unit add up to a whole unit in this step: their sum over all steps is rounded.
fn carries(part: vec2<u32>, spread: vec2<u32>) -> bool {
    var low = wide_low(now);
    var high = wide_high(now);
    if (watershed.shift >= 32u) {
        low = high >> (watershed.shift - 32u);
        high = 0u;
    } else if (watershed.shift > 0u) {
        low = (low >> watershed.shift) | (high << (32u - watershed.shift));
        high = high >> watershed.shift;
    }
    let parts = wide_multiply(wide(low, high), wide(spread.x, spread.y));
    return wide_less(wide_xor(parts, wide(0u, 0x80000000u)), wide(part.x, part.y));
}

// The rain of the step that ends now.
fn rain() -> u32 {
    if (!raining(now)) { return 0u; }
    if (!wide_differs(now, rain_until())) { return watershed.rain_last; }
    return watershed.rain + select(0u, 1u, carries(watershed.rain_part, watershed.rain_spread));
}

// The most that the soil takes in the step that ends now.
fn soil() -> u32 {
    return watershed.soil + select(0u, 1u, carries(watershed.soil_part, watershed.soil_spread));
}

fn cell_transition(cell: u32, imminent: bool) -> Time {
    var water = state_word(cell, WATER);
    if (imminent) {
        water -= leaving(cell);
        water += rain();
    }
    for (var side = 0u; side < 4u; side += 1u) {
        if (neighbour_arrives(side)) { water += neighbour_word(side, 4u - side); }
    }
    if (water > MOST_WATER) { raise(FAULT_FLOOD, cell_id); }
    let soaks = min(water, soil());
    water -= soaks;
    let soaked = wide_add(wide(state_word(cell, SOAKED), state_word(cell, SOAKED + 1u)), wide(soaks, 0u));
    set_state_word(cell, SOAKED, wide_low(soaked));
    set_state_word(cell, SOAKED + 1u, wide_high(soaked));
    set_state_word(cell, WATER, water);
    let left = flow(cell, water);
    let next = wide_add(now, wide(watershed.step.x, watershed.step.y));
    let soaking = (watershed.soil | watershed.soil_part.x | watershed.soil_part.y) > 0u && water > 0u;
    let unsaid = left > 0u || water != output_word(cell, 0u) || output_leaving(cell) != 0u;
    if (raining(next) || soaking || unsaid) { return next; }
    return never();
}

// Plans the outflow to lower sides, as far as there is water; returns its sum.
fn flow(cell: u32, water: u32) -> u32 {
    let level = neighbour_word(8u, 0u) + water;
    var left = 0u;
    for (var side = 0u; side < 4u; side += 1u) {
        var leaves = 0u;
        if (neighbour_exists(side)) {
            let other = neighbour_word(4u + side, 0u) + neighbour_word(side, 0u);
            let most = select(0xffffffffu, water, watershed.runs == 1u);
            if (other < level) { leaves = min(multiply_high(min(level - other, most), watershed.flow), water - left); }
        }
        set_state_word(cell, LEAVING + side, leaves);
        left += leaves;
    }
    return left;
}
