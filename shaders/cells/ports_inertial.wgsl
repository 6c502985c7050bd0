// cells/ports_inertial: the values of a cell's ports wait together, and what a rule sets otherwise takes the place of what
// waits there: then all of them wait anew. The state is the values, the stream of rules that draw, state variables, and
// for each port the value that waits or was sent last.

import package::cells::cell::{planned, set_output, set_state_word, state_word};
import package::cells::ports::{has_port, rule_changes, rule_given};
import package::cells::rules::{rule_heard, rule_time};
import package::lib::time::{Time, never};
import rule_file::{RULE_PORTS, RULE_WAITING, rule_choose};

fn cell_output(cell: u32) -> bool {
    for (var port = 0u; port < RULE_PORTS; port += 1u) {
        set_output(cell, port, state_word(cell, RULE_WAITING + port));
    }
    return true;
}

fn cell_transition(cell: u32, imminent: bool) -> Time {
    var next = planned;
    if (imminent) {
        for (var port = 0u; port < RULE_PORTS; port += 1u) {
            set_state_word(cell, port, state_word(cell, RULE_WAITING + port));
        }
        next = never();
    }
    if (rule_heard(imminent)) {
        if (rule_choose(cell)) {
            let changes = rule_changes(cell, RULE_WAITING);
            if (changes != 0u) {
                for (var port = 0u; port < RULE_PORTS; port += 1u) {
                    if (has_port(changes, port)) {
                        set_state_word(cell, RULE_WAITING + port, bitcast<u32>(rule_given[port]));
                    }
                }
                return rule_time();
            }
        }
    }
    return next;
}
