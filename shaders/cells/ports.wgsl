// cells/ports: the ports of cells that rules read and set. The values of a cell are the first words of its state and the
// words of its output. The writer of rules defines RULE_PORTS, the number of ports, RULE_SLOTS, how many of them belong to
// one port of the file, and rule_cell, the cell whose rules are tried.

import package::cells::fixed::{Number};
import package::cells::numbers::{neighbour_number, state_number};
import package::lib::wide::{wide_differs};
import rule_file::{RULE_NUMBER_WORDS, RULE_PORTS, RULE_SLOTS, rule_cell, rule_way};

var<private> rule_given: array<Number, RULE_PORTS>; // what the rule gives to ports
var<private> rule_sets: u32;                     // a bit for each port that it sets

fn rule_port(n: u32, port: u32) -> Number { return neighbour_number(rule_way(n), port); }

fn rule_own_port(port: u32) -> Number { return state_number(rule_cell, RULE_NUMBER_WORDS * port); }

fn has_port(ports: u32, port: u32) -> bool { return ((ports >> port) & 1u) != 0u; }

// The ports that the rule sets to another value than the state has from a word on.
fn rule_changes(cell: u32, first: u32) -> u32 {
    var changes = 0u;
    for (var port = 0u; port < RULE_PORTS; port += 1u) {
        let differs = wide_differs(rule_given[port], state_number(cell, first + RULE_NUMBER_WORDS * port));
        if (differs && has_port(rule_sets, port)) { changes |= ((1u << RULE_SLOTS) - 1u) << (port - port % RULE_SLOTS); }
    }
    return changes & rule_sets;
}
