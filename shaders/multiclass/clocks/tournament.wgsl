// multiclass/clocks/tournament: a clock of 32 bits for each event, the upper bits of its time, in a tree in which every node has the least
// clock below it. Where many events are pending the next one is found in few steps: each step leaves a quarter of the events.
//
// A row has four nodes: node n lies in row n / 4 and leads to row n + 1. The nodes that lead to no row are those of the places of events, in
// their order. The row behind the tree says that the tree has been built, and for how many rows: where places are added it is built anew.
//
// Reads: parameters. Reads and writes: replication_state.

import package::lib::time::{Time};
import package::lib::wide::{wide_shift_right};
import package::multiclass::clocks::ties::{first_of_two};
import package::multiclass::parameters::{plan};
import package::multiclass::pending::{due, event_of};
import package::multiclass::rows::{far_row_at, record_at, set_far_row, with_word};
import package::multiclass::state::{mine};
import word64::{wide_high, wide_low};

// Of places without an event; of events at times that a clock cannot show.
const NO_CLOCK: u32 = 0xffffffffu;
const LATE: u32 = 0xfffffffeu;

fn clock_of(time: Time) -> u32 {
    let coarse = wide_shift_right(time, plan.clock_bits);
    return min(select(LATE, wide_low(coarse), wide_high(coarse) == 0u), LATE);
}

fn tree_row(row: u32) -> u32 { return record_at(plan.clocks_at, row, 1u); }

fn least_of(nodes: vec4<u32>) -> u32 { return min(min(nodes.x, nodes.y), min(nodes.z, nodes.w)); }

// Sets the clock of a place, and the nodes above it as far as they change.
fn set_clock(place: u32, clock: u32) {
    var node = place + plan.clock_rows - 1u;
    var least = clock;
    loop {
        let row = tree_row(node / 4u);
        let before = far_row_at(row);
        let nodes = with_word(before, node % 4u, least);
        if (all(nodes == before)) { break; }
        set_far_row(row, nodes);
        if (node < 4u) { break; }
        node = node / 4u - 1u;
        least = least_of(nodes);
    }
}

fn take_clock(place: u32) { set_clock(place, NO_CLOCK); }

// The place of the event that is next; its time is mine.next.
fn find_next() -> u32 {
    var row = 0u;
    var clock = NO_CLOCK;
    var is_shared = false;
    loop {
        let nodes = far_row_at(tree_row(row));
        clock = least_of(nodes);
        let has = select(vec4<u32>(0u), vec4<u32>(1u, 2u, 4u, 8u), nodes == vec4<u32>(clock));
        let places = has.x | has.y | has.z | has.w;
        is_shared = is_shared || (places & (places - 1u)) != 0u;
        row = 4u * row + countTrailingZeros(places) + 1u;
        if (row >= plan.clock_rows) { break; }
    }
    var place = row - plan.clock_rows;
    mine.alone = true;
    due = event_of(place);
    if (is_shared) { place = first_of_alike(place, clock); }
    mine.next = due.time;
    return place;
}

// The place of the first event among those that share the least clock, one of which is due. Afterwards this event is due. Goes through all
// nodes with that clock, those below a node before the one beside it.
fn first_of_alike(one: u32, clock: u32) -> u32 {
    var first = one;
    var node = 0u;
    loop {
        let below = node + 1u;
        if (far_row_at(tree_row(node / 4u))[node % 4u] == clock) {
            if (below < plan.clock_rows) {
                node = 4u * below;
                continue;
            }
            let place = below - plan.clock_rows;
            if (place != one) { first = first_of_two(place, first); }
        }
        while (node % 4u == 3u && node > 3u) { node = node / 4u - 1u; }
        if (node == 3u) { break; }
        node += 1u;
    }
    return first;
}

fn clock_below(node: u32) -> u32 {
    let below = node + 1u;
    if (below < plan.clock_rows) { return least_of(far_row_at(tree_row(below))); }
    let place = below - plan.clock_rows;
    if (place < mine.pending) { return clock_of(event_of(place).time); }
    return NO_CLOCK;
}

// Builds the tree, from the last row to the first, unless it is there.
fn open_clocks() {
    let built = tree_row(plan.clock_rows);
    if (far_row_at(built).x == plan.clock_rows) { return; }
    set_far_row(built, vec4<u32>(plan.clock_rows));
    for (var row = plan.clock_rows; row > 0u; row -= 1u) {
        let first = 4u * (row - 1u);
        let nodes = vec4<u32>(clock_below(first), clock_below(first + 1u), clock_below(first + 2u), clock_below(first + 3u));
        set_far_row(tree_row(row - 1u), nodes);
    }
}
