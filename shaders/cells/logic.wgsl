// cells/logic: comparisons and the three-valued logic of rules, the twin of src/cdpp/interpreter.rs. True is 1, false
// 0, and "?" unknown.

import package::cells::fixed::{ONE, UNDEFINED, fixed_either, fixed_truth};
import package::cells::space::{cell_id};
import faults::{raise};

const RULE_TRUTH: u32 = 0x200u;

// A truth value: any other number sets the fault word.
fn logic_truth(a: i32) -> i32 {
    if (a != 0 && a != ONE && a != UNDEFINED) { raise(RULE_TRUTH, cell_id); }
    return a;
}

fn logic_equal(a: i32, b: i32) -> i32 { return fixed_truth(a == b); }
fn logic_differs(a: i32, b: i32) -> i32 { return fixed_truth(a != b); }

fn logic_less(a: i32, b: i32) -> i32 {
    if (fixed_either(a, b) && a != b) { return UNDEFINED; }
    return fixed_truth(a < b);
}

fn logic_less_equal(a: i32, b: i32) -> i32 {
    if (fixed_either(a, b) && a != b) { return UNDEFINED; }
    return fixed_truth(a <= b);
}

fn logic_greater(a: i32, b: i32) -> i32 { return logic_less(b, a); }
fn logic_greater_equal(a: i32, b: i32) -> i32 { return logic_less_equal(b, a); }

fn logic_and(a: i32, b: i32) -> i32 {
    let left = logic_truth(a);
    let right = logic_truth(b);
    if (left == 0 || right == 0) { return 0; }
    if (fixed_either(left, right)) { return UNDEFINED; }
    return ONE;
}

fn logic_not(a: i32) -> i32 {
    if (logic_truth(a) == UNDEFINED) { return a; }
    return ONE - a;
}

fn logic_or(a: i32, b: i32) -> i32 {
    let left = logic_truth(a);
    let right = logic_truth(b);
    if (left == ONE || right == ONE) { return ONE; }
    if (fixed_either(left, right)) { return UNDEFINED; }
    return 0;
}

fn logic_xor(a: i32, b: i32) -> i32 {
    let left = logic_truth(a);
    let right = logic_truth(b);
    if (fixed_either(left, right)) { return UNDEFINED; }
    return fixed_truth(left != right);
}

fn logic_implies(a: i32, b: i32) -> i32 {
    let left = logic_truth(a);
    let right = logic_truth(b);
    if (left == 0 || right == ONE) { return ONE; }
    if (fixed_either(left, right)) { return UNDEFINED; }
    return 0;
}

fn logic_equivalent(a: i32, b: i32) -> i32 { return fixed_truth(logic_truth(a) == logic_truth(b)); }

fn logic_undefined(a: i32) -> i32 { return fixed_truth(a == UNDEFINED); }

fn logic_whole(a: i32) -> i32 {
    return fixed_truth(a != UNDEFINED && (a & 0xffff) == 0);
}

fn logic_odd(a: i32) -> i32 {
    return fixed_truth(a != UNDEFINED && (a & 0x1ffff) == ONE);
}

fn logic_even(a: i32) -> i32 {
    return fixed_truth(a != UNDEFINED && (a & 0x1ffff) == 0);
}
