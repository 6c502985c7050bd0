// lib/faults: how a kernel ends the run.
// Writes: control.

import package::lib::control::{control};

// Sets the fault word: the run stops before the next round.
fn raise(fault: u32, entity: u32) {
    atomicOr(&control.fault, fault);
    atomicMin(&control.fault_entity, entity);
}
