// multiclass/several_networks: replications of networks that differ in numbers alone, as in an experiment.
// Reads: parameters, model_table.

import package::multiclass::parameters::{plan, model_table};
import package::multiclass::rows::{copy_number};

// Of a thread, from plan.copies on: the first row of its network's model_table, and the number of its replication.
struct Copy {
    begin: u32,
    number: u32,
}

var<private> own_begin: u32;
var<private> own_number: u32;

fn network_begin() -> u32 { return own_begin; }
fn replication_number() -> u32 { return own_number; }

fn open_network() {
    let row = model_table[plan.copies + copy_number];
    let copy = Copy(row.x, row.y);
    own_begin = copy.begin;
    own_number = copy.number;
}
