// multiclass/initialize (once; a thread a replication)
// What: seeds the streams and draws when the first token of each source comes; the tokens of time 0 are the first event.
// Reads: parameters, model_table. Writes: replication_state, of this thread's replication only.

import constants::{WORKGROUP};
import package::multiclass::begin::{begin_replication};
import package::multiclass::near::{own_lane};
import package::multiclass::parameters::{plan, take_up_plan};
import package::multiclass::rows::{copy_number};

fn run(group: u32, lane: u32) {
    take_up_plan();
    let thread = group * WORKGROUP + lane;
    if (thread >= plan.replications) { return; }
    own_lane = lane;
    copy_number = thread;
    begin_replication();
}
