// cells/inputs_inertial: what comes into cells from outside the space, where a value waits for an inertial delay (choice
// `rule_inputs`). The words of a state from RULE_DUE on have the time at which the value is due that waits.

import package::cells::cell::{set_state_word, state_word};
import package::cells::entries::{entry_comes, entry_taken, entry_time};
import package::lib::time::{Time};
import package::lib::wide::{wide_minimum};
import rule_file::{RULE_DUE};
import word64::{wide, wide_high, wide_low};

// Whether something comes in now.
fn input_comes(cell: u32) -> bool { return entry_comes(cell); }

// When the value is due that waits.
fn input_due(cell: u32) -> Time { return wide(state_word(cell, RULE_DUE), state_word(cell, RULE_DUE + 1u)); }

// When the cell has its next own event whose value is due at a time.
fn input_next(cell: u32, due: Time) -> Time {
    entry_taken(cell);
    set_state_word(cell, RULE_DUE, wide_low(due));
    set_state_word(cell, RULE_DUE + 1u, wide_high(due));
    return wide_minimum(due, entry_time(cell));
}
