// cells/delay_inertial: at most one value of a cell waits, and a new value replaces it. The state is the cell's value,
// the stream of rules that draw, and the value that waits or was sent last.

import package::cells::cell::{now};
import package::cells::numbers::{move_numbers, send_number, set_state_number, state_number};
import package::cells::rules::{rule_heard, rule_time, rule_value};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs};
import rule_file::{RULE_WAITING, rule_choose};
import rule_inputs::{input_comes, input_due, input_next};

fn cell_output(cell: u32) -> bool {
    if (wide_differs(input_due(cell), now)) { return false; }
    send_number(cell, 0u, RULE_WAITING);
    return true;
}

fn cell_transition(cell: u32, imminent: bool) -> Time {
    var next = input_due(cell);
    let sends = imminent && !wide_differs(next, now);
    if (sends) {
        move_numbers(cell, 0u, RULE_WAITING, 1u);
        next = never();
    }
    if (input_comes(cell) || rule_heard(sends)) {
        if (rule_choose(cell)) {
            if (wide_differs(rule_value, state_number(cell, RULE_WAITING))) {
                set_state_number(cell, RULE_WAITING, rule_value);
                next = rule_time();
            }
        }
    }
    return input_next(cell, next);
}
