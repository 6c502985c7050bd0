// multiclass/control/steps: copies of a network stop where something is to be decided, and go on with what has been decided: the twin of
// src/queueing/reference/oracle/controlled.rs.
//
// A step begins with a decision: words in `decided`. Servers and ranks take effect in a shift of their station at the time of the decision,
// routes at once. Then events happen until the next decision; what is seen there is written into `seen`.
//
// Reads: control, decided. Reads and writes: replication_state, near_rows, copy_state, of this thread's copy only.

import package::lib::control::{control};
import package::lib::faults::{raise};
import package::lib::time::{Time};
import package::lib::wide::{wide_differs};
import package::multiclass::control::decisions::{is_undecided, order_can_serve, servers_of_decision};
import package::multiclass::control::looks::{OVER_TIME, count_of, see};
import package::multiclass::control::rows::{
    CopyClock, CopyProgress, DECIDED, ENDED, Earned, FRESH, RUNS, WOKEN, control_sizes, control_times, copy_clock, copy_progress, earned_at, looked_row,
    set_copy_clock, set_copy_progress, set_earned,
};
import package::multiclass::parameters::{plan};
import package::multiclass::pending::{SHIFT, set_event};
import package::multiclass::rows::{copy_number};
import package::multiclass::servers::rules::{shifts_of};
import package::multiclass::state::{mine};
import word64::{wide, wide_add, wide_less, wide_multiply, wide_sub};

// Tokens wait for each other for ever.
const FAULT_STUCK: u32 = 256u;

var<private> progress: CopyProgress;

fn takes_step() -> bool {
    progress = copy_progress();
    mine.now = copy_clock().now;
    if (progress.step != control.model.step) {
        progress.step = control.model.step;
        progress.about = RUNS | DECIDED;
    }
    is_undecided = (progress.about & FRESH) != 0u;
    return (progress.about & RUNS) != 0u;
}

fn is_left(is_before: bool) -> bool { return (progress.about & RUNS) != 0u; }

// Who begins anew stops behind the events of time 0.
fn limit_of_copy() -> Time {
    let times = control_times();
    if ((progress.about & FRESH) != 0u) { return wide(1u, 0u); }
    if (control_sizes().by_event != 0u) { return times.until; }
    let next = wide_add(copy_clock().decision, times.every);
    if (wide_less(next, times.until)) { return next; }
    return times.until;
}

fn carry_out() {
    if ((progress.about & DECIDED) == 0u) { return; }
    progress.about &= ~DECIDED;
    for (var id = 0u; id < plan.stations; id += 1u) {
        let place = shifts_of(id).place;
        if (servers_of_decision(id) || order_can_serve(id)) { set_event(place, SHIFT | id, 0u, mine.now); }
    }
}

fn awaits_decision() -> bool {
    return control_sizes().by_event != 0u && (progress.about & WOKEN) != 0u && wide_less(mine.now, mine.next);
}

// What a decision causes at its own time does not ask for another one.
fn notes_event() {
    if (wide_differs(mine.now, copy_clock().decision)) { progress.about |= WOKEN; }
}

fn earns(next: Time) {
    if (!wide_differs(next, mine.now)) { return; }
    let span = wide_sub(next, mine.now);
    let sizes = control_sizes();
    for (var number = 0u; number < sizes.earned; number += 1u) {
        let looked = looked_row(sizes.observed + number);
        if (looked.kind >= OVER_TIME) { continue; }
        let before = earned_at(number);
        let more = wide_multiply(wide(count_of(looked), 0u), span);
        set_earned(number, Earned(wide_add(before.sum, more), before.count));
    }
}

// Behind the last event of a dispatch: whether the copy has come to its next decision, and what is seen there.
fn ends_step() {
    if (mine.stuck != 0u) { raise(FAULT_STUCK, copy_number); }
    let is_due = awaits_decision();
    let limit = limit_of_copy();
    if (!is_due && wide_less(mine.next, limit) && mine.stuck == 0u) {
        set_copy_progress(progress);
        set_copy_clock(CopyClock(copy_clock().decision, mine.now));
        return;
    }
    let is_fresh = (progress.about & FRESH) != 0u;
    var clock = limit;
    if (is_due) { clock = mine.now; } else if (is_fresh) { clock = wide(0u, 0u); }
    if (!is_fresh) { earns(clock); }
    let ends = !is_due && !is_fresh && !wide_less(limit, control_times().until);
    progress.about = select(0u, ENDED, ends);
    see(clock, ends, is_fresh);
    set_copy_progress(progress);
    set_copy_clock(CopyClock(clock, clock));
}
