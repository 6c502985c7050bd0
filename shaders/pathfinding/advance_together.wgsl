// pathfinding/advance_together (as pathfinding/advance; a workgroup a search)
// What: every workgroup expands the open cells of its search, step by step, up to so many steps in a round; where the search
//       has ended it goes on with the next one.
// Reads: control, cells, searches. Writes: control, searches, paths; slots, costs, works, of this workgroup only.
// Afterwards: as after pathfinding/advance.

import package::lib::control::{control};
import package::pathfinding::expand_together::{expand_together};
import package::pathfinding::ground::{parameters};
import package::pathfinding::known::{forget_tiles};
import package::pathfinding::near_far::{List, list_has_room, no_bound};
import package::pathfinding::take_together::{Step, take_together};
import package::pathfinding::turns::{begin, close_list, write_down};
import package::pathfinding::works::{close_work, open_work, work};
import package::pending::queue::{queue};
import constants::{EXPAND, NEAR, WORKGROUP};
import word64::{wide, wide_less};

// What the first lane tells the others.
struct Told {
    search: u32,
    goal: u32,
    near: u32,
    far: u32,
}

var<workgroup> told: Told;

fn run(group: u32, lane: u32) {
    // Before the run there is no limit.
    if (lane == 0u) {
        let goes = group < parameters.threads && wide_less(wide(0u, 0u), control.limit);
        told = Told(select(0u, 1u, goes), 0u, 0u, 0u);
    }
    if (workgroupUniformLoad(&told).search == 0u) { return; }
    open_work(group);
    queue.size = NEAR;
    if (lane == 0u) { told = Told(work.search, work.goal, queue.count, work.far); }
    var now = workgroupUniformLoad(&told);
    var list = List(now.near, now.far);
    var expanded = 0u;
    for (var turn = 0u; turn < parameters.expansions; turn += EXPAND) {
        if (now.search == 0u) {
            now = begin_together(lane);
            if (now.search == 0u) { break; }
            list = List(now.near, 0u);
        }
        let full = !list_has_room(list);
        var step = Step(0u, list);
        if (!full) {
            step = take_together(list, lane);
            list = expand_together(step, lane);
        }
        work.expansions += step.number;
        expanded += step.number;
        if (step.number == 0u) {
            end_together(full, lane);
            now.search = 0u;
        }
    }
    queue.count = list.near;
    work.far = list.far;
    if (lane == 0u) {
        close_work();
        atomicAdd(&control.selected, expanded);
    }
}

// The first lane takes a search, and the others learn of it; no search where there is none.
fn begin_together(lane: u32) -> Told {
    work.bound = no_bound();
    if (lane == 0u) {
        begin();
        told = Told(work.search, work.goal, queue.count, 0u);
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
    forget_tiles(lane, WORKGROUP);
    storageBarrier();
    close_list();
}
