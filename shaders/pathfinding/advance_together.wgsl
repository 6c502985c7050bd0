// pathfinding/advance_together (as pathfinding/advance; a workgroup a search)
// What: every workgroup expands the open cells of its search, step by step, up to a limit of steps a round; where the search
//       has ended the workgroup goes on with the next search.
// Reads: control, cells, searches. Writes: control, searches, paths; slots, costs, works, of this workgroup only.
// Afterwards: as after pathfinding/advance.

import package::lib::control::{control};
import package::pathfinding::expand_together::{expand_together};
import package::pathfinding::ground::{parameters};
import package::pathfinding::known::{forget_together};
import package::pathfinding::open_cells::{OpenCells};
import package::pathfinding::take_together::{Step, take_together};
import package::pathfinding::turns::{begin, close_list, write_down};
import package::pathfinding::works::{close_work, open_work, work};
import package::pending::queue::{queue};
import constants::{EXPAND};
import open_list::{has_room_for_step, listed, load_near, store_near};
import word64::{wide, wide_less};

// The words that the first lane passes to the others.
struct Told {
    search: u32,
    goal: u32,
    open: OpenCells,      // in its open list
}

var<workgroup> told: Told;

fn run(group: u32, lane: u32) {
    // Before the run there is no limit.
    if (lane == 0u) {
        let goes = group < parameters.at_once && wide_less(wide(0u, 0u), control.limit);
        told.search = select(0u, 1u, goes);
    }
    if (workgroupUniformLoad(&told).search == 0u) { return; }
    open_work(group);
    if (lane == 0u) { told = Told(work.search, work.goal, listed()); }
    var now = workgroupUniformLoad(&told);
    load_near(now.open, lane);
    var expanded = 0u;
    for (var turn = 0u; turn < parameters.expansions; turn += EXPAND) {
        if (now.search == 0u) { now = begin_together(lane); }
        if (now.search == 0u) { break; }
        let full = !has_room_for_step(now.open);
        var step = Step(0u, now.open);
        if (!full) {
            step = take_together(now.open, lane);
            now.open = expand_together(step, lane);
        }
        work.expansions += step.number;
        expanded += step.number;
        if (step.number == 0u) {
            end_together(full, lane);
            now = Told(0u, 0u, OpenCells(0u, 0u, 0u));
        }
    }
    store_near(now.open, lane);
    if (lane == 0u) {
        close_work();
        atomicAdd(&control.selected, expanded);
    }
}

// The first lane takes a search, and tells the others; no search where none is left.
fn begin_together(lane: u32) -> Told {
    if (lane == 0u) {
        begin();
        told = Told(work.search, work.goal, listed());
    }
    storageBarrier();
    let all = workgroupUniformLoad(&told);
    queue.top = 0u;
    work.expansions = 0u;
    work.search = all.search;
    work.goal = all.goal;
    return all;
}

fn end_together(full: bool, lane: u32) {
    if (lane == 0u) { write_down(full); }
    storageBarrier();
    forget_together(lane);
    close_list();
}
