// cells/no_inputs: nothing comes into cells from outside the space (choice `rule_inputs`).

import package::cells::cell::{planned};
import package::lib::time::{Time};

// Whether an entry comes in now.
fn input_comes(cell: u32) -> bool { return false; }

// When the value is due that waits for an inertial delay.
fn input_due(cell: u32) -> Time { return planned; }

// When the cell has its next own event, where its waiting value is due at a given time.
fn input_next(cell: u32, due: Time) -> Time { return due; }
