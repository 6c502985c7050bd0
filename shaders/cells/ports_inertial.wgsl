// cells/ports_inertial: the values of a cell's ports wait together, and what a rule sets otherwise takes the place of what
// waits there: then all of them wait anew. The state is the values, the stream of rules that draw, state variables, and
// for each port the value that waits or was sent last.

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
