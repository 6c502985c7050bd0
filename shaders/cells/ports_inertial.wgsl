// cells/ports_inertial: the values of a cell's ports wait together; a new value of a port replaces its waiting value, and
// then all values wait anew. The state is the values, the stream of rules that draw, state variables, and for each port
// the value that waits or was sent last.

import package::cells::cell::{now};
import package::cells::numbers::{move_numbers, send_number, set_state_number};
import package::cells::ports::{has_port, rule_changes, rule_given};
import package::cells::rules::{rule_heard, rule_time};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs};
import rule_file::{RULE_NUMBER_WORDS, RULE_PORTS, RULE_WAITING, rule_choose};
import rule_inputs::{input_comes, input_due, input_next};

fn cell_output(cell: u32) -> bool {
    if (wide_differs(input_due(cell), now)) { return false; }
    for (var port = 0u; port < RULE_PORTS; port += 1u) {
        send_number(cell, port, RULE_WAITING + RULE_NUMBER_WORDS * port);
    }
    return true;
}

fn cell_transition(cell: u32, imminent: bool) -> Time {
    var next = input_due(cell);
    let sends = imminent && !wide_differs(next, now);
    if (sends) {
        move_numbers(cell, 0u, RULE_WAITING, RULE_PORTS);
        next = never();
    }
    if (input_comes(cell) || rule_heard(sends)) {
        if (rule_choose(cell)) {
            let changes = rule_changes(cell, RULE_WAITING);
            if (changes != 0u) {
                for (var port = 0u; port < RULE_PORTS; port += 1u) {
                    if (has_port(changes, port)) {
                        set_state_number(cell, RULE_WAITING + RULE_NUMBER_WORDS * port, rule_given[port]);
                    }
                }
                next = rule_time();
            }
        }
    }
    return input_next(cell, next);
}
