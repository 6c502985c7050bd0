// cells/inputs_inertial: numbers from outside the space, for rules with inertial delays (choice `rule_inputs`). The
// words of a state from RULE_DUE on hold the time at which the waiting value is due.

import package::cells::cell::{set_state_word, state_word};
import package::cells::entries::{entry_comes, entry_taken, entry_time};
import package::lib::time::{Time};
import package::lib::wide::{wide_minimum};
import rule_file::{RULE_DUE};
import word64::{wide, wide_high, wide_low};

// Whether an entry comes in now.
fn input_comes(cell: u32) -> bool { return entry_comes(cell); }

// When the waiting value is due.
fn input_due(cell: u32) -> Time { return wide(state_word(cell, RULE_DUE), state_word(cell, RULE_DUE + 1u)); }

// When the cell has its next own event, where its waiting value is due at a given time.
fn input_next(cell: u32, due: Time) -> Time {
    entry_taken(cell);
    set_state_word(cell, RULE_DUE, wide_low(due));
    set_state_word(cell, RULE_DUE + 1u, wide_high(due));
    return wide_minimum(due, entry_time(cell));
}
