// cells/delay_inertial: one value of a cell waits, and another takes its place. The state is the cell's value, the
// stream of rules that draw, and the value that waits or was sent last.

import package::cells::cell::{planned, set_output, set_state_word, state_word};
import package::cells::rules::{rule_heard, rule_time, rule_value};
import package::lib::time::{Time, never};
import rule_file::{RULE_WAITING, rule_choose};

fn cell_output(cell: u32) -> bool {
    set_output(cell, 0u, state_word(cell, RULE_WAITING));
    return true;
}

fn cell_transition(cell: u32, imminent: bool) -> Time {
    var next = planned;
    if (imminent) {
        set_state_word(cell, 0u, state_word(cell, RULE_WAITING));
        next = never();
    }
    if (rule_heard(imminent)) {
        if (rule_choose(cell)) {
            if (bitcast<u32>(rule_value) != state_word(cell, RULE_WAITING)) {
                set_state_word(cell, RULE_WAITING, bitcast<u32>(rule_value));
                return rule_time();
            }
        }
    }
    return next;
}
