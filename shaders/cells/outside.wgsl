// cells/outside: an index outside of an array of the user's model ends the run; the first such line of the round is
// kept.
// Writes: control.

import package::cells::cell::{FAULT_OUTSIDE};
import package::cells::space::{cell_id};
import package::lib::control::{control};
import faults::{raise};

fn index_of(index: u32, length: u32, line: u32) -> u32 {
    if (index < length) { return index; }
    atomicMin(&control.model.outside, line);
    raise(FAULT_OUTSIDE, cell_id);
    return 0u;
}
