// cells/variables: state variables of a cell, from the word RULE_VARIABLES of its state on. The writer of rules defines
// rule_cell, the cell whose rules are tried.

import package::cells::cell::{set_state_word, state_word};
import rule_file::{RULE_VARIABLES, rule_cell};

fn rule_variable(n: u32) -> i32 { return bitcast<i32>(state_word(rule_cell, RULE_VARIABLES + n)); }

fn rule_keep_variable(n: u32, value: i32) { set_state_word(rule_cell, RULE_VARIABLES + n, bitcast<u32>(value)); }
