// pathfinding/take_together: a workgroup takes the cells of a step out of its open list: each lane looks at one of the first.
// A workgroup has at least as many lanes as a step has cells.
// Reads: control, cells, costs. Reads and writes: slots, workgroup memory.

import package::lib::control::{control};
import package::lib::time::{Time};
import package::lib::wide::{wide_minimum};
import package::pathfinding::ground::{cell_of};
import package::pathfinding::known::{known_cost, stamp_of};
import package::pathfinding::open_cells::{OpenCells, has_more};
import package::pathfinding::step::{SPREAD};
import package::pathfinding::works::{work};
import package::pending::order::{time_of};
import constants::{EXPAND, WORKGROUP};
import open_list::{draw_near, drop_first, open_key};
import terrain::{moves_of};
import word64::{wide, wide_add, wide_less, wide_low, wide_product, wide_sub};
import workgroup::{workgroup_prefix, workgroup_sum};

// The cells of a step: their places, their costs, and the moves that are allowed from them.
var<workgroup> taken_places: array<u32, EXPAND>;
var<workgroup> taken_costs: array<Time, EXPAND>;
var<workgroup> taken_moves: array<u32, EXPAND>;
var<workgroup> step_end: Time;    // no cell of the step has this sum or a greater one

struct Step {
    number: u32,          // of cells taken
    open: OpenCells,      // what is left in the open list
}

// All lanes pass the same open cells, and get the same step.
fn take_together(open: OpenCells, lane: u32) -> Step {
    var step = Step(0u, open);
    if (lane == 0u) { step_end = work.best; }
    loop {
        step.open = draw_near(step.open, lane);
        let near = step.open.near;
        let looked_at = look_at_first(step.number, near, lane);
        let gone = looked_at & 0xffffu;
        step.number += looked_at >> 16u;
        step.open.near -= gone;
        drop_first(gone);
        let more = gone == near && has_more(step.open);
        if (step.number == EXPAND || (gone < WORKGROUP && !more)) { break; }
    }
    if (lane < step.number) { taken_moves[lane] = moves_of(cell_of(taken_places[lane])); }
    workgroupBarrier();
    return step;
}

// How many of the near cells leave the open list, and in the upper half how many of them are taken, behind the cells taken
// before; the others have become cheaper since.
fn look_at_first(taken: u32, near: u32, lane: u32) -> u32 {
    var key = vec4<u32>();
    var time = wide(0xffffffffu, 0xffffffffu);
    if (lane < near) {
        key = open_key(lane);
        time = time_of(key);
    }
    let cost = wide_sub(time, wide_product(key.z, control.model.twice_least));
    let before = workgroupUniformLoad(&step_end);
    var open = false;
    if (wide_less(time, before)) { open = known_cost(cell_of(key.w)) == stamp_of(wide_low(cost)); }
    var all = 0u;
    let rank = taken + workgroup_prefix(lane, select(0u, 1u, open), &all);
    if (open && rank == 0u) { step_end = wide_minimum(before, wide_add(time, wide(SPREAD + 1u, 0u))); }
    let end = workgroupUniformLoad(&step_end);
    let goes = wide_less(time, end) && rank < EXPAND;
    if (goes && open) {
        taken_places[rank] = key.w;
        taken_costs[rank] = cost;
    }
    return workgroup_sum(lane, select(0u, select(1u, 0x10001u, open), goes));
}
