// multiclass/advance (part 1 of a round; a thread a replication)
// What: every thread executes the events of its replication in order, up to a most number in a dispatch or to the limit.
// Reads: control, parameters, model_table. Writes: control; held, of this thread's replication only.
// Afterwards: the status says how many replications have events before the limit. Where a replication has no place for a token that a
//             source sends, control.room is 1 and that event has not happened.

import constants::{EACH, EVENTS, MEETS};
import package::lib::control::{control};
import package::lib::time::{never};
import package::multiclass::clocks::{clock_lane};
import package::multiclass::execute::{execute};
import package::multiclass::parameters::{plan, take_up_plan};
import package::multiclass::next::{find_next, open_clocks};
import package::multiclass::state::{close_replication, happened, mine, open_replication};
import word64::{wide, wide_high, wide_less, wide_low};
import workgroup::{workgroup_minimum, workgroup_sum};

// Executes the next event, if it is before the limit. Returns whether there may be another one. After the last one no event is before
// mine.next.
fn execute_next() -> bool {
    let place = find_next();
    if (!wide_less(mine.next, control.limit)) { return false; }
    if (!execute(place)) {
        atomicMax(&control.room, 1u);
        return false;
    }
    if (mine.stuck == 0u) { return true; }
    mine.balked_at = mine.now;
    mine.next = never();
    return false;
}

fn run(group: u32, lane: u32) {
    take_up_plan();
    // Threads on different paths wait for each other: where replications are few, a workgroup has few.
    let thread = group * EACH + lane;
    happened = 0u;
    var left = 0u;
    var latest = 0u;
    var next = never();
    let is_stopped = atomicLoad(&control.room) != 0u || atomicLoad(&control.fault) != 0u;
    let is_mine = lane < EACH && thread < plan.replications;
    var is_running = false;
    if (is_mine) {
        open_replication(thread);
        // Before the run there is no limit.
        is_running = !is_stopped && wide_less(mine.next, control.limit);
        clock_lane = lane;
        if (is_running) { open_clocks(); }
    }
    let has_run = is_running;
    let turns = workgroup_sum(lane, select(0u, control.turns, lane == 0u));
    for (var turn = 0u; turn < turns; turn += 1u) {
        if (workgroup_sum(lane, select(0u, 1u, is_running)) == 0u) { break; }
        for (var done = 0u; done < EVENTS; done += 1u) {
            if (is_running) { is_running = execute_next(); }
            // Threads that have taken different branches meet again: on GPUs they else stay apart for many events.
            if (MEETS) { workgroupBarrier(); }
        }
    }
    if (has_run) {
        close_replication();
        latest = wide_high(mine.now);
    }
    if (is_mine) {
        left = select(0u, 1u, wide_less(mine.next, control.limit));
        next = mine.next;
    }
    let all_left = workgroup_sum(lane, left);
    let all_happened = workgroup_sum(lane, happened);
    let earliest = workgroup_minimum(lane, next);
    let not_latest = workgroup_minimum(lane, wide(0xffffffffu - latest, 0u));
    if (lane == 0u) {
        atomicAdd(&control.selected, all_happened);
        atomicAdd(&control.model.left, all_left);
        atomicMin(&control.model.earliest, wide_high(earliest));
        atomicMax(&control.model.latest, 0xffffffffu - wide_low(not_latest));
    }
}
