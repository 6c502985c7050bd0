// pathfinding/advance (part 1 of a round; a thread a search)
// What: every thread expands the open cells of its search, step by step, up to a limit a round; where the search has
//       ended the thread goes on with the next search.
// Reads: control, cells, searches. Writes: control, searches, paths; slots, costs, works, of this thread only.
// Afterwards: the results of ended searches are in searches, and counted in control.model.ended.

import package::lib::control::{control};
import package::pathfinding::ground::{parameters};
import package::pathfinding::known::{forget_tiles};
import package::pathfinding::step::{has_room, step};
import package::pathfinding::turns::{begin, close_list, write_down};
import package::pathfinding::works::{close_work, open_work, work};
import package::pending::queue::{queue};
import constants::{WORKGROUP};
import word64::{wide, wide_less};

fn run(group: u32, lane: u32) {
    let thread = group * WORKGROUP + lane;
    // Before the run there is no limit.
    if (thread >= parameters.at_once || !wide_less(wide(0u, 0u), control.limit)) { return; }
    open_work(thread);
    var expanded = 0u;
    while (expanded < parameters.expansions) {
        if (work.search == 0u && !begin()) { break; }
        let full = !has_room(queue.count);
        var number = 0u;
        if (!full) { number = step(); }
        if (number == 0u) {
            write_down(full);
            forget_tiles();
            close_list();
        }
        expanded += max(number, 1u);
    }
    close_work();
    atomicAdd(&control.selected, expanded);
}
