// cells/inputs: what comes into cells from outside the space, where values wait for a transport delay (choice `rule_inputs`).

import package::cells::entries::{entry_comes, entry_taken, entry_time};
import package::lib::time::{Time};
import package::lib::wide::{wide_minimum};

// Whether something comes in now.
fn input_comes(cell: u32) -> bool { return entry_comes(cell); }

// When the cell has its next own event whose value is due at a time.
fn input_next(cell: u32, due: Time) -> Time {
    entry_taken(cell);
    return wide_minimum(due, entry_time(cell));
}
