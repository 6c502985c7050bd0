// cells/variables: state variables of a cell, from the word RULE_VARIABLES of its state on. The writer of rules defines
// rule_cell, the cell whose rules are tried.

import package::cells::fixed::{Number};
import package::cells::numbers::{set_state_number, state_number};
import rule_file::{RULE_NUMBER_WORDS, RULE_VARIABLES, rule_cell};

fn rule_variable(n: u32) -> Number { return state_number(rule_cell, RULE_VARIABLES + RULE_NUMBER_WORDS * n); }

fn rule_keep_variable(n: u32, value: Number) {
    set_state_number(rule_cell, RULE_VARIABLES + RULE_NUMBER_WORDS * n, value);
}
