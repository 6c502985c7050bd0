// pathfinding/turns: how a search begins and ends.
// Reads: searches. Writes: control, searches, paths; slots, costs, works, of this search only.

import package::lib::control::{control};
import package::lib::time::{never};
import package::pathfinding::ground::{cell_of};
import package::pathfinding::known::{set_known, stamp_of};
import package::pathfinding::searches::{FOUND, NO_PATH, OPEN_LIST_FULL, PATHS_FULL, goal_of, searches, start_of};
import package::pathfinding::step::{open_cell};
import package::pathfinding::works::{work};
import package::pending::queue::{queue};
import discovery::{end_discovery};
import trails::{leave_trail};
import word64::{wide, wide_high, wide_less, wide_low};

// Takes the next search; false where none is left. Which thread takes a search does not change its result.
fn begin() -> bool {
    var search = control.model.searches;
    if (atomicLoad(&control.model.next) < search) { search = min(search, atomicAdd(&control.model.next, 1u)); }
    let there = search < control.model.searches;
    if (there) {
        work.search = search + 1u;
        work.goal = goal_of(search);
        work.best = never();
        work.expansions = 0u;
        let start = start_of(search);
        set_known(cell_of(start), 0u, stamp_of(0u));
        if (start == work.goal) { work.best = wide(0u, 0u); } else { open_cell(start, wide(0u, 0u)); }
        end_discovery();
    }
    return there;
}

// Writes down the result of the search: no cell is left that could lead to a cheaper path, or its open list is full.
fn write_down(full: bool) {
    let search = work.search - 1u;
    var state = select(NO_PATH, FOUND, wide_less(work.best, never()));
    if (full) {
        state = OPEN_LIST_FULL;
    } else if (state == FOUND && !leave_trail(search, start_of(search))) {
        state = PATHS_FULL;
    }
    searches[2u * search + 1u] = vec4<u32>(wide_low(work.best), wide_high(work.best), work.expansions, state);
    atomicAdd(&control.model.ended, 1u);
}

fn close_list() {
    queue.top = 0u;
    queue.count = 0u;
    queue.free = 0u;
    queue.least = 0u;
    queue.least = 0u;
    work.search = 0u;
}
