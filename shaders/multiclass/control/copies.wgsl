// multiclass/control/copies: threads have copies of a network under control. A copy that begins anew has streams of its own.

import package::multiclass::control::rows::{copy_progress};
import package::multiclass::parameters::{plan};
import package::multiclass::rows::{copy_number};

// The first row of the model table of this thread's network.
fn network_begin() -> u32 { return 0u; }

// The number of this thread's replication.
fn replication_number() -> u32 { return plan.first + copy_number + copy_progress().episode * plan.replications; }

fn open_network() {}
