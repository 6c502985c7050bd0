// cells/watershed: rain on a terrain (after the model of Zeigler et al. and Wainer: terrain below, water above). Water is
// counted in 2^-10 mm. A water cell publishes its depth and its outflow to the north, west, east and south; a terrain cell
// publishes its height. Outflow leaves a cell and enters its neighbour in the same transitions, so no water is lost or
// made.

import package::cells::cell::{
    neighbour_arrives, neighbour_exists, neighbour_word, now, output_word, set_output, set_state_word, state_word,
};
import package::cells::space::{cell_id};
import package::cells::watershed_rates::{rain, raining, soil, watershed};
import package::lib::time::{Time, never};
import faults::{raise};
import word64::{wide, wide_add, wide_high, wide_low, wide_product};

const WATER: u32 = 0u;
const SOAKED: u32 = 1u;  // two words: the water that the soil has taken
const LEAVING: u32 = 3u; // to each side
const OVER: u32 = 7u;    // where it runs: what the shares so far have over whole units to each side, in 2^-32
const STEEP: u32 = 8u;
const MOST_WATER: u32 = 0x40000000u;
const FAULT_FLOOD: u32 = 1u;

// Whether less than a unit of water may be on its way.
var<private> runs_on: bool;

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
    runs_on = false;
    let left = flow(cell, water);
    let next = wide_add(now, wide(watershed.step.x, watershed.step.y));
    let soaking = (watershed.soil | watershed.soil_part.x | watershed.soil_part.y) > 0u && water > 0u;
    let unsaid = left > 0u || water != output_word(cell, 0u) || output_leaving(cell) != 0u;
    if (raining(next) || soaking || unsaid || runs_on) { return next; }
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
            if (other < level) { leaves = share(cell, side, level - other, water, water - left); }
        }
        set_state_word(cell, LEAVING + side, leaves);
        left += leaves;
    }
    return left;
}

// The whole units that go to a side which is lower by so much, of the rest of the water.
fn share(cell: u32, side: u32, lower: u32, water: u32, rest: u32) -> u32 {
    if (watershed.runs == 0u || lower < STEEP) { return min(wide_high(wide_product(lower, watershed.flow)), rest); }
    runs_on |= water > 0u;
    let sum = wide_add(wide_product(min(lower, water), watershed.flow), wide(state_word(cell, OVER + side), 0u));
    set_state_word(cell, OVER + side, select(wide_low(sum), 0xffffffffu, wide_high(sum) > rest));
    return min(wide_high(sum), rest);
}
