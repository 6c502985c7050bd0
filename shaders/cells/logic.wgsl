// cells/logic: comparisons and the three-valued logic of rules, the twin of src/cdpp/interpreter.rs. True is 1, false
// 0, and "?" unknown.

import package::cells::fixed::{
    Number, fixed_either, fixed_less, fixed_truth, fixed_unknown, is_one, is_unknown, is_zero,
};
import package::cells::space::{cell_id};
import package::lib::wide::{wide_differs};
import faults::{raise};
import word64::{wide_high, wide_low};

const RULE_TRUTH: u32 = 0x200u;

// A truth value: any other number sets the fault word.
fn logic_truth(a: Number) -> Number {
    if (!(is_zero(a) | is_one(a) | is_unknown(a))) { raise(RULE_TRUTH, cell_id); }
    return a;
}

fn logic_equal(a: Number, b: Number) -> Number { return fixed_truth(!wide_differs(a, b)); }
fn logic_differs(a: Number, b: Number) -> Number { return fixed_truth(wide_differs(a, b)); }

fn logic_less(a: Number, b: Number) -> Number {
    if (fixed_either(a, b) && wide_differs(a, b)) { return fixed_unknown(); }
    return fixed_truth(fixed_less(a, b));
}

fn logic_less_equal(a: Number, b: Number) -> Number {
    if (fixed_either(a, b) && wide_differs(a, b)) { return fixed_unknown(); }
    return fixed_truth(!fixed_less(b, a));
}

fn logic_greater(a: Number, b: Number) -> Number { return logic_less(b, a); }
fn logic_greater_equal(a: Number, b: Number) -> Number { return logic_less_equal(b, a); }

fn logic_and(a: Number, b: Number) -> Number {
    let left = logic_truth(a);
    let right = logic_truth(b);
    if (is_zero(left) || is_zero(right)) { return fixed_truth(false); }
    if (fixed_either(left, right)) { return fixed_unknown(); }
    return fixed_truth(true);
}

fn logic_not(a: Number) -> Number {
    if (is_unknown(logic_truth(a))) { return a; }
    return fixed_truth(is_zero(a));
}

fn logic_or(a: Number, b: Number) -> Number {
    let left = logic_truth(a);
    let right = logic_truth(b);
    if (is_one(left) || is_one(right)) { return fixed_truth(true); }
    if (fixed_either(left, right)) { return fixed_unknown(); }
    return fixed_truth(false);
}

fn logic_xor(a: Number, b: Number) -> Number {
    let left = logic_truth(a);
    let right = logic_truth(b);
    if (fixed_either(left, right)) { return fixed_unknown(); }
    return fixed_truth(wide_differs(left, right));
}

fn logic_implies(a: Number, b: Number) -> Number {
    let left = logic_truth(a);
    let right = logic_truth(b);
    if (is_zero(left) || is_one(right)) { return fixed_truth(true); }
    if (fixed_either(left, right)) { return fixed_unknown(); }
    return fixed_truth(false);
}

fn logic_equivalent(a: Number, b: Number) -> Number { return fixed_truth(!wide_differs(logic_truth(a), logic_truth(b))); }

fn logic_undefined(a: Number) -> Number { return fixed_truth(is_unknown(a)); }

fn logic_whole(a: Number) -> Number { return fixed_truth(wide_low(a) == 0u && !is_unknown(a)); }

fn logic_odd(a: Number) -> Number { return fixed_truth(wide_low(a) == 0u && (wide_high(a) & 1u) == 1u); }

fn logic_even(a: Number) -> Number {
    return fixed_truth(wide_low(a) == 0u && (wide_high(a) & 1u) == 0u && !is_unknown(a));
}
