// multiclass/advance (part 1 of a round; a thread a replication)
// What: every thread executes the events of its replication in order, up to a most number in a dispatch or to the limit.
// Reads: control, parameters, model_table. Writes: control; replication_state and near_rows, of the replications of this workgroup only.
// Afterwards: the status says how many replications have events before the limit. Where a replication has no place for a token that a
//             source sends, control.room is 1 and that event has not happened.

import constants::{EACH, EVENTS, HAS_NEAR, IS_CONTROLLED, MEETS};
import clocks::{find_next, open_clocks};
import steps::{awaits_decision, carry_out, ends_step, is_left, limit_of_copy, takes_step};
import package::lib::control::{control};
import package::lib::time::{Time, never};
import package::multiclass::execute::{execute};
import package::multiclass::parameters::{plan, take_up_plan};
import package::multiclass::near::{own_lane};
import package::multiclass::near_copies::{copy_near};
import package::multiclass::state::{close_replication, happened, mine, open_replication};
import word64::{wide, wide_high, wide_less, wide_low};
import workgroup::{workgroup_minimum, workgroup_sum};

// The limit of this dispatch, or of the copy under control, where records are near: other kernels have no register to spare for it.
var<private> near_limit: Time;

fn is_before_limit(time: Time) -> bool {
    if (HAS_NEAR || IS_CONTROLLED) { return wide_less(time, near_limit); }
    return wide_less(time, control.limit);
}

// Executes the next event, if it is before the limit. Returns whether there may be another one. After the last one no event is before
// mine.next.
fn execute_next() -> bool {
    let place = find_next();
    if (awaits_decision() || !is_before_limit(mine.next)) { return false; }
    if (!execute(place)) {
        atomicMax(&control.room, 1u);
        return false;
    }
    if (mine.stuck == 0u) { return true; }
    mine.balked_at = mine.now;
    mine.next = never();
    return false;
}

// Executes events of a replication that has any.
fn run_alone(has_any: bool) {
    let most = control.turns * EVENTS;
    var has_more = has_any;
    if (has_more) { carry_out(); }
    if (has_more) { open_clocks(); }
    for (var done = 0u; done < most && has_more; done += 1u) { has_more = execute_next(); }
    if (has_any) { ends_step(); }
}

// The same for the replications of a workgroup from the first one on, whose near records are fetched before. Threads that have taken different
// branches meet again after every event: on GPUs they else stay apart for many events.
fn run_together(lane: u32, first: u32, has_any: bool) {
    var has_more = has_any;
    if (workgroup_sum(lane, select(0u, 1u, has_more)) == 0u) { return; }
    // A sum is the same for all threads, as a compiler sees it: barriers need that.
    let turns = workgroup_sum(lane, select(0u, control.turns, lane == 0u));
    if (HAS_NEAR) {
        copy_near(lane, first, false);
        workgroupBarrier();
    }
    if (has_more) { carry_out(); }
    if (has_more) { open_clocks(); }
    for (var turn = 0u; turn < turns; turn += 1u) {
        for (var done = 0u; done < EVENTS; done += 1u) {
            if (has_more) { has_more = execute_next(); }
            workgroupBarrier();
        }
        if (workgroup_sum(lane, select(0u, 1u, has_more)) == 0u) { break; }
    }
    if (has_any) { ends_step(); }
    if (HAS_NEAR) { copy_near(lane, first, true); }
}

// Adds to the status what a replication says of itself.
fn tell_alone(left: u32, next: Time, latest: u32) {
    atomicAdd(&control.selected, happened);
    atomicAdd(&control.model.left, left);
    atomicMin(&control.model.earliest, wide_high(next));
    atomicMax(&control.model.latest, latest);
}

// The same for all replications of a workgroup at once.
fn tell_together(lane: u32, left: u32, next: Time, latest: u32) {
    let all_left = workgroup_sum(lane, left);
    let all_happened = workgroup_sum(lane, happened);
    let earliest = workgroup_minimum(lane, next);
    let not_latest = workgroup_minimum(lane, wide(0xffffffffu - latest, 0u));
    if (lane != 0u) { return; }
    atomicAdd(&control.selected, all_happened);
    atomicAdd(&control.model.left, all_left);
    atomicMin(&control.model.earliest, wide_high(earliest));
    atomicMax(&control.model.latest, 0xffffffffu - wide_low(not_latest));
}

fn run(group: u32, lane: u32) {
    take_up_plan();
    // Threads on different paths wait for each other: where replications are few, a workgroup has few.
    let first = group * EACH;
    let thread = first + lane;
    happened = 0u;
    var left = 0u;
    var latest = 0u;
    var next = never();
    let is_stopped = atomicLoad(&control.room) != 0u || atomicLoad(&control.fault) != 0u;
    let is_mine = lane < EACH && thread < plan.replications;
    var has_any = false;
    near_limit = control.limit;
    own_lane = min(lane, EACH - 1u);
    if (is_mine) {
        open_replication(thread);
        // Before the run there is no limit.
        has_any = takes_step();
        if (IS_CONTROLLED) { near_limit = limit_of_copy(); }
        has_any = !is_stopped && has_any && (IS_CONTROLLED || is_before_limit(mine.next));
    }
    if (MEETS) { run_together(lane, first, has_any); } else { run_alone(has_any); }
    if (has_any) {
        close_replication();
        latest = wide_high(mine.now);
    }
    if (is_mine) {
        left = select(0u, 1u, is_left(is_before_limit(mine.next)));
        next = mine.next;
    }
    if (MEETS) { tell_together(lane, left, next, latest); } else if (is_mine) { tell_alone(left, next, latest); }
}
