// multiclass/one_network: all replications are of one network.

import package::multiclass::parameters::{plan};
import package::multiclass::rows::{copy_number};

// The first row of the model table of this thread's network.
fn network_begin() -> u32 { return 0u; }

// The number of this thread's replication.
fn replication_number() -> u32 { return plan.first + copy_number; }

fn open_network() {}
