// pathfinding/expand_together: a workgroup expands the cells of a step, a lane a move. It first finds the moves that make a
// cell cheaper. Where several of them lead to one cell, the cheapest counts, and of equal ones the move from the first cell:
// so no two lanes write the words of one cell.
// Reads: cells, workgroup memory. Reads and writes: costs, works, slots, of this workgroup's search only.

import package::lib::time::{Time};
import package::pathfinding::ground::{DIRECTIONS, cell_of, neighbour};
import package::pathfinding::known::{is_less, known_cost, set_known, stamp_of};
import package::pathfinding::open_cells::{OpenCells};
import package::pathfinding::step::{key_of};
import package::pathfinding::take_together::{Step, taken_costs, taken_moves, taken_places};
import package::pathfinding::works::{work};
import constants::{EXPAND, WORKGROUP};
import open_list::{note, take_in_noted};
import terrain::{move_cost};
import word64::{wide, wide_add, wide_low};
import workgroup::{workgroup_prefix};

const MOVES: u32 = EXPAND * DIRECTIONS;

// Moves that make a cell cheaper: the place of the cell and the stamp of its cost; the cost; the known cost of the
// cell.
var<workgroup> better_moves: array<vec2<u32>, MOVES>;
var<workgroup> better_costs: array<Time, MOVES>;
var<workgroup> known_before: array<u32, MOVES>;
var<workgroup> cheapest: Time;                 // the cost of the goal

// The open cells after the step, with the cells that it has opened; the same in all lanes.
fn expand_together(step: Step, lane: u32) -> OpenCells {
    if (lane == 0u) { cheapest = work.best; }
    var better = 0u;
    for (var first = 0u; first < step.number * DIRECTIONS; first += WORKGROUP) {
        better = find_better(first + lane, step.number, better, lane);
    }
    workgroupBarrier();
    var noted = 0u;
    for (var first = 0u; first < better; first += WORKGROUP) {
        var key = vec4<u32>();
        let opens = learn(first + lane, better, &key);
        noted = note(step.open, noted, opens, key, lane);
    }
    work.best = workgroupUniformLoad(&cheapest);
    // The next step reads words that other lanes have written.
    storageBarrier();
    return take_in_noted(step.open, noted, lane);
}

// Lists the moves that make their cells cheaper, behind the earlier ones; returns how many are listed.
fn find_better(number: u32, count: u32, before: u32, lane: u32) -> u32 {
    let index = number / DIRECTIONS;
    let direction = number % DIRECTIONS;
    var to = 0u;
    var cost = wide(0u, 0u);
    var known = 0u;
    var is_better = false;
    if (index < count && ((taken_moves[index] >> direction) & 1u) != 0u) {
        to = neighbour(taken_places[index], direction);
        let to_cell = cell_of(to);
        let more = move_cost(cell_of(taken_places[index]), to_cell, direction);
        cost = wide_add(taken_costs[index], wide(more, 0u));
        known = known_cost(to_cell);
        is_better = known == 0u || is_less(stamp_of(wide_low(cost)), known);
    }
    var all = 0u;
    let rank = workgroup_prefix(lane, select(0u, 1u, is_better), &all);
    if (is_better) {
        better_moves[before + rank] = vec2<u32>(to, stamp_of(wide_low(cost)));
        better_costs[before + rank] = cost;
        known_before[before + rank] = known;
    }
    return before + all;
}

// Whether a move opens the cell that it leads to, and with which key.
fn learn(number: u32, better: u32, key: ptr<function, vec4<u32>>) -> bool {
    let this_move = better_moves[min(number, better - 1u)];
    var counts = number < better;
    for (var other = 0u; other < better; other += 1u) {
        let beside = better_moves[other];
        // Of equal costs the first counts.
        let dearer = bitcast<i32>((beside.y - this_move.y) << 1u);
        counts &= (beside.x != this_move.x) | (dearer >= select(0, 1, other < number));
    }
    var opens = false;
    if (counts) {
        set_known(cell_of(this_move.x), known_before[number], this_move.y);
        opens = this_move.x != work.goal;
        if (opens) { *key = key_of(this_move.x, better_costs[number]); } else { cheapest = better_costs[number]; }
    }
    return opens;
}
