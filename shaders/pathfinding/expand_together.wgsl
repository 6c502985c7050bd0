// pathfinding/expand_together: a workgroup expands the cells of a step, a lane a move. Where several moves lead to one cell
// the cheapest counts, and of equal ones that from the first cell: so no two lanes read or write what is known of one cell.
// Reads: cells, workgroup memory. Reads and writes: costs, works, slots, of this workgroup's search only.

import package::lib::control::{control};
import package::lib::time::{Time};
import package::pathfinding::ground::{DIRECTIONS, cell_of, column_of, half_left, neighbour, row_of};
import package::pathfinding::known::{is_less, known_cost, set_known, stamp_of};
import package::pathfinding::near_far::{List, put_cells, spill};
import package::pathfinding::take_together::{Step, taken_costs, taken_moves, taken_places};
import package::pathfinding::works::{work};
import package::pending::circular_parallel::{settle};
import constants::{EXPAND, WORKGROUP};
import terrain::{move_cost};
import word64::{wide, wide_add, wide_high, wide_low, wide_product};

// The direction of a step of -1, 0 or 1 columns and rows, by (rows + 1) * 3 + columns + 1, four bits each; the last is 3.
const DIRECTION_OF: u32 = 0x452f6107u;
const SOUTH_EAST: u32 = 3u;

var<workgroup> cheapest: Time;    // the cost of the goal

// The open list with what the cells of a step have opened.
fn expand_together(step: Step, lane: u32) -> List {
    if (lane == 0u) { cheapest = work.best; }
    workgroupBarrier();
    // `near` counts those behind the ring.
    var found = List(0u, step.list.far);
    for (var first = 0u; first < EXPAND * DIRECTIONS; first += WORKGROUP) {
        var key = vec4<u32>();
        let opens = move_from((first + lane) / DIRECTIONS, (first + lane) % DIRECTIONS, step.number, &key);
        found = put_cells(List(step.list.near, found.far), found.near, key, opens, lane);
    }
    work.best = workgroupUniformLoad(&cheapest);
    storageBarrier();
    let near = step.list.near + found.near;
    settle(near, found.near, lane);
    return spill(List(near, found.far), lane);
}

// Whether a move from a cell of the step opens the one that it leads to, and with which key.
fn move_from(index: u32, direction: u32, number: u32, key: ptr<function, vec4<u32>>) -> bool {
    if (index >= number || ((taken_moves[index] >> direction) & 1u) == 0u) { return false; }
    let to = neighbour(taken_places[index], direction);
    let to_cell = cell_of(to);
    let cost = wide_add(taken_costs[index], wide(move_cost(cell_of(taken_places[index]), to_cell, direction), 0u));
    let stamp = stamp_of(wide_low(cost));
    for (var other = 0u; other < number; other += 1u) {
        if (other != index && comes_first(other, index, to, to_cell, stamp)) { return false; }
    }
    let known = known_cost(to_cell);
    if (known != 0u && !is_less(stamp, known)) { return false; }
    set_known(to_cell, known, stamp);
    if (to == work.goal) {
        cheapest = cost;
        return false;
    }
    let left = half_left(to, work.goal);
    let time = wide_add(cost, wide_product(left, control.model.twice_least));
    *key = vec4<u32>(wide_low(time), wide_high(time), left, to);
    return true;
}

// Whether another cell of the step has a better move to the same place.
fn comes_first(other: u32, index: u32, to: u32, to_cell: u32, stamp: u32) -> bool {
    let place = taken_places[other];
    let columns = column_of(to) - column_of(place) + 1u;
    let rows = row_of(to) - row_of(place) + 1u;
    if (columns > 2u || rows > 2u) { return false; }
    let step = rows * 3u + columns;
    let direction = select((DIRECTION_OF >> (4u * step)) & 15u, SOUTH_EAST, step == 8u);
    if (((taken_moves[other] >> direction) & 1u) == 0u) { return false; }
    let beside = stamp_of(wide_low(taken_costs[other]) + move_cost(cell_of(place), to_cell, direction));
    return is_less(beside, stamp) || (beside == stamp && other < index);
}
