// pathfinding/expand_together: a workgroup expands the cells of a step, a lane a move. Where several moves lead to one cell
// the cheapest counts, and of equal ones that from the first cell: so no two lanes read or write what is known of one cell.
// Reads: cells, workgroup memory. Reads and writes: costs, works, slots, of this workgroup's search only.

import package::lib::control::{control};
import package::lib::time::{Time};
import package::pathfinding::ground::{DIRECTIONS, cell_of, column_of, half_left, neighbour, row_of};
import package::pathfinding::known::{is_less, known_cost, set_known, stamp_of};
import package::pathfinding::take_together::{Step, taken_costs, taken_moves, taken_places};
import package::pathfinding::works::{work};
import package::pending::circular_parallel::{settle};
import package::pending::ring::{ring_slot};
import constants::{EXPAND, WORKGROUP};
import events::{new_event, put_event};
import terrain::{move_cost};
import word64::{wide, wide_add, wide_high, wide_low, wide_product};
import workgroup::{workgroup_prefix};

// The direction of a step of -1, 0 or 1 columns and rows, by (rows + 1) * 3 + columns + 1, four bits each; the last is 3.
const DIRECTION_OF: u32 = 0x452f6107u;
const SOUTH_EAST: u32 = 3u;

var<workgroup> cheapest: Time;    // the cost of the goal

// How many cells the open list has with what the cells of a step have opened; the same in all lanes.
fn expand_together(step: Step, lane: u32) -> u32 {
    if (lane == 0u) { cheapest = work.best; }
    workgroupBarrier();
    // They come behind the ring, where `settle` finds them.
    var open = step.left;
    for (var first = 0u; first < EXPAND * DIRECTIONS; first += WORKGROUP) {
        var key = vec4<u32>();
        let opens = move_from((first + lane) / DIRECTIONS, (first + lane) % DIRECTIONS, step.number, &key);
        var all = 0u;
        let rank = workgroup_prefix(lane, select(0u, 1u, opens), &all);
        if (opens) { put_event(ring_slot(open + rank), new_event(key, vec4<u32>())); }
        open += all;
    }
    work.best = workgroupUniformLoad(&cheapest);
    storageBarrier();
    settle(open, open - step.left, lane);
    return open;
}

// Whether a move from a cell of the step opens the one that it leads to, and with which key. It is left at its end alone: the
// lanes shall be together again for the reduction behind it, and a return in a loop keeps them apart on some drivers.
fn move_from(index: u32, direction: u32, number: u32, key: ptr<function, vec4<u32>>) -> bool {
    var opens = false;
    if (index < number && ((taken_moves[index] >> direction) & 1u) != 0u) {
        let to = neighbour(taken_places[index], direction);
        let to_cell = cell_of(to);
        let cost = wide_add(taken_costs[index], wide(move_cost(cell_of(taken_places[index]), to_cell, direction), 0u));
        let stamp = stamp_of(wide_low(cost));
        var is_first = true;
        for (var other = 0u; other < number; other += 1u) {
            is_first = is_first && (other == index || !comes_first(other, index, to, to_cell, stamp));
        }
        if (is_first) {
            let known = known_cost(to_cell);
            if (known == 0u || is_less(stamp, known)) {
                set_known(to_cell, known, stamp);
                opens = to != work.goal;
                if (opens) { *key = key_of(to, cost); } else { cheapest = cost; }
            }
        }
    }
    return opens;
}

fn key_of(place: u32, cost: Time) -> vec4<u32> {
    let left = half_left(place, work.goal);
    let time = wide_add(cost, wide_product(left, control.model.twice_least));
    return vec4<u32>(wide_low(time), wide_high(time), left, place);
}

// Whether another cell of the step has a better move to the same place.
fn comes_first(other: u32, index: u32, to: u32, to_cell: u32, stamp: u32) -> bool {
    let place = taken_places[other];
    let columns = column_of(to) - column_of(place) + 1u;
    let rows = row_of(to) - row_of(place) + 1u;
    var comes = false;
    if (columns <= 2u && rows <= 2u) {
        let step = rows * 3u + columns;
        let direction = select((DIRECTION_OF >> ((4u * step) & 31u)) & 15u, SOUTH_EAST, step == 8u);
        if (((taken_moves[other] >> direction) & 1u) != 0u) {
            let beside = stamp_of(wide_low(taken_costs[other]) + move_cost(cell_of(place), to_cell, direction));
            comes = is_less(beside, stamp) || (beside == stamp && other < index);
        }
    }
    return comes;
}
