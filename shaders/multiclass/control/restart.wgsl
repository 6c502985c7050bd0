// multiclass/control/restart (part 1 of a step; a thread a copy)
// What: copies at their horizon begin anew when the next step begins, in place of what has been decided.
// Reads: control, parameters, model_table. Writes: replication_state and copy_state, of this thread's copy only.
// Afterwards: these copies are as before time 0, with other streams.

import constants::{WORKGROUP};
import package::lib::control::{control};
import package::lib::time::{never};
import package::multiclass::begin::{begin_replication};
import package::multiclass::control::rows::{
    CopyClock, CopyProgress, ENDED, Earned, FRESH, RUNS, control_sizes, copy_progress, set_copy_clock, set_copy_progress, set_earned,
};
import package::multiclass::near::{own_lane};
import package::multiclass::parameters::{plan, take_up_plan};
import package::multiclass::rows::{copy_number, far_row_at, set_far_row};
import word64::{wide};

// Clears the records of a kind, which has `rows` rows for each, from one row on to another.
fn clear_records(from_row: u32, before: u32, rows: u32) {
    let each = rows * plan.replications;
    for (var record = from_row; record < before; record += each) {
        for (var row = 0u; row < rows; row += 1u) { set_far_row(record + copy_number * rows + row, vec4<u32>()); }
    }
}

fn clear_all() {
    // Of tokens only those that were ever there.
    let used = far_row_at(4u * copy_number).z;
    clear_records(plan.tokens_at, plan.tokens_at + used * plan.token_rows * plan.replications, plan.token_rows);
    clear_records(0u, plan.sources_at, 4u);
    clear_records(plan.sources_at, plan.stations_at, plan.source_rows);
    clear_records(plan.stations_at, plan.accounts_at, plan.station_rows);
    // With their annex.
    clear_records(plan.accounts_at, plan.sinks_at, plan.account_rows);
    clear_records(plan.sinks_at, plan.servers_at, 2u);
    clear_records(plan.servers_at, plan.resources_at, 1u);
    clear_records(plan.resources_at, plan.forks_at, 2u);
    clear_records(plan.forks_at, plan.tokens_at, 2u);
    if (plan.clock_rows != 0u) { clear_records(plan.clocks_at, plan.clocks_at + (plan.clock_rows + 1u) * plan.replications, 1u); }
}

fn run(group: u32, lane: u32) {
    take_up_plan();
    let thread = group * WORKGROUP + lane;
    if (thread >= plan.replications) { return; }
    own_lane = lane;
    copy_number = thread;
    let before = copy_progress();
    if ((before.about & ENDED) == 0u || before.step == control.model.step) { return; }
    clear_all();
    set_copy_progress(CopyProgress(control.model.step, before.episode + 1u, RUNS | FRESH));
    set_copy_clock(CopyClock(never(), wide(0u, 0u)));
    for (var number = 0u; number < control_sizes().earned; number += 1u) { set_earned(number, Earned(wide(0u, 0u), 0u)); }
    begin_replication();
}
