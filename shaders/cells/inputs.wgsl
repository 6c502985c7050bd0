// cells/inputs: numbers from outside the space, for rules with transport delays (choice `rule_inputs`).

import package::cells::entries::{entry_comes, entry_taken, entry_time};
import package::lib::time::{Time};
import package::lib::wide::{wide_minimum};

// Whether an entry comes in now.
fn input_comes(cell: u32) -> bool { return entry_comes(cell); }

// When the cell has its next own event, where its first waiting value is due at a given time.
fn input_next(cell: u32, due: Time) -> Time {
    entry_taken(cell);
    return wide_minimum(due, entry_time(cell));
}
