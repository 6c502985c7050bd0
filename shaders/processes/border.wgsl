// processes/border: a device that has a block of the processes; other ranks have the rest.
// Reads: parameters. Reads and writes: control, the model's words.

import package::lib::control::{control};
import package::processes::records::{parameters};

fn first_process() -> u32 { return parameters.first; }

// Whether the last round has left messages for other ranks: they lie where those of the next one would.
fn border_waits() -> bool { return control.model.waiting != 0u; }

// While processes execute the number of exports changes, so a round looks at what the one before has left.
fn close_border() { control.model.waiting = atomicLoad(&control.model.exports); }
