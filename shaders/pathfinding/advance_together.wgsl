// pathfinding/advance_together (as pathfinding/advance; a workgroup a search, for open lists that a workgroup adds to)
// What: every workgroup expands the open cells of its search, step by step, up to so many steps in a round; where the search
//       has ended it goes on with the next one.
// Reads: control, cells, searches. Writes: control, searches, paths; slots, costs, works, of this workgroup only.
// Afterwards: as after pathfinding/advance.

import package::lib::control::{control};
import package::pathfinding::expand_together::{expand_together};
import package::pathfinding::ground::{parameters};
import package::pathfinding::known::{forget_tiles};
import package::pathfinding::step::{has_room};
import package::pathfinding::take_together::{take_together};
import package::pathfinding::turns::{begin, close_list, write_down};
import package::pathfinding::works::{close_work, open_work, work};
import package::pending::circular_parallel::{settle};
import package::pending::queue::{Queue, queue};
import constants::{EXPAND, WORKGROUP};
import word64::{wide, wide_less};

struct Shared {
    goes: u32,            // whether there is a search, or another one
    search: u32,
    goal: u32,
}

var<workgroup> shared_work: Shared;
var<workgroup> shared_queue: Queue;

fn run(group: u32, lane: u32) {
    // Before the run there is no limit.
    if (lane == 0u) {
        let goes = group < parameters.threads && wide_less(wide(0u, 0u), control.limit);
        shared_work = Shared(select(0u, 1u, goes), 0u, 0u);
    }
    if (workgroupUniformLoad(&shared_work).goes == 0u) { return; }
    open_work(group);
    var expanded = 0u;
    for (var turn = 0u; turn < parameters.expansions; turn += EXPAND) {
        if (lane == 0u) { shared_work = Shared(0u, work.search, 0u); }
        if (workgroupUniformLoad(&shared_work).search == 0u && !begin_together(lane)) { break; }
        let full = !has_room();
        var number = 0u;
        if (!full) {
            number = take_together(lane);
            let found = expand_together(number, lane);
            queue.count += found;
            storageBarrier();
            settle(queue.count, found, lane);
        }
        if (lane == 0u) { shared_work = Shared(number, 0u, 0u); }
        if (workgroupUniformLoad(&shared_work).goes == 0u) { end_together(full, lane); }
        work.expansions += number;
        expanded += number;
    }
    if (lane == 0u) {
        close_work();
        atomicAdd(&control.selected, expanded);
    }
}

// The first lane takes a search; the others learn of it.
fn begin_together(lane: u32) -> bool {
    if (lane == 0u) {
        shared_work = Shared(select(0u, 1u, begin()), work.search, work.goal);
        shared_queue = queue;
    }
    storageBarrier();
    let all = workgroupUniformLoad(&shared_work);
    queue = workgroupUniformLoad(&shared_queue);
    work.search = all.search;
    work.goal = all.goal;
    return all.goes != 0u;
}

fn end_together(full: bool, lane: u32) {
    if (lane == 0u) { write_down(full); }
    storageBarrier();
    forget_tiles(lane, WORKGROUP);
    storageBarrier();
    close_list();
}
