// processes/outside: an index outside of an array of the user's model ends the run, with its line.
// Writes: of a process that fails the fault.

import package::processes::records::{FAULT_OUTSIDE};
import package::processes::send::{fail, failed};
import word64::{wide};

fn index_of(index: u32, length: u32, line: u32) -> u32 {
    if (index < length) { return index; }
    if (!failed) { fail(FAULT_OUTSIDE, wide(index, line)); }
    return 0u;
}
