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

// A truth value, or "?".
fn logic_known(truth: bool, unknown: bool) -> Number { return select(fixed_truth(truth), fixed_unknown(), unknown); }

fn logic_equal(a: Number, b: Number) -> Number { return fixed_truth(!wide_differs(a, b)); }
fn logic_differs(a: Number, b: Number) -> Number { return fixed_truth(wide_differs(a, b)); }

fn logic_less(a: Number, b: Number) -> Number {
    return logic_known(fixed_less(a, b), fixed_either(a, b) & wide_differs(a, b));
}

fn logic_less_equal(a: Number, b: Number) -> Number {
    return logic_known(!fixed_less(b, a), fixed_either(a, b) & wide_differs(a, b));
}

fn logic_greater(a: Number, b: Number) -> Number { return logic_less(b, a); }
fn logic_greater_equal(a: Number, b: Number) -> Number { return logic_less_equal(b, a); }

fn logic_and(a: Number, b: Number) -> Number {
    let left = logic_truth(a);
    let right = logic_truth(b);
    let lacks = is_zero(left) | is_zero(right);
    return logic_known(!lacks, !lacks & fixed_either(left, right));
}

fn logic_not(a: Number) -> Number {
    return logic_known(is_zero(a), is_unknown(logic_truth(a)));
}

fn logic_or(a: Number, b: Number) -> Number {
    let left = logic_truth(a);
    let right = logic_truth(b);
    let holds = is_one(left) | is_one(right);
    return logic_known(holds, !holds & fixed_either(left, right));
}

fn logic_xor(a: Number, b: Number) -> Number {
    let left = logic_truth(a);
    let right = logic_truth(b);
    return logic_known(wide_differs(left, right), fixed_either(left, right));
}

fn logic_implies(a: Number, b: Number) -> Number {
    let left = logic_truth(a);
    let right = logic_truth(b);
    let holds = is_zero(left) | is_one(right);
    return logic_known(holds, !holds & fixed_either(left, right));
}

fn logic_equivalent(a: Number, b: Number) -> Number { return fixed_truth(!wide_differs(logic_truth(a), logic_truth(b))); }

fn logic_undefined(a: Number) -> Number { return fixed_truth(is_unknown(a)); }

fn logic_whole(a: Number) -> Number { return fixed_truth((wide_low(a) == 0u) & !is_unknown(a)); }

// A whole number; "?", whose low word is 0 too, where it is none.
fn logic_whole_alone(a: Number) -> Number { return select(fixed_unknown(), a, wide_low(a) == 0u); }

fn logic_odd(a: Number) -> Number { return fixed_truth((wide_low(a) == 0u) & ((wide_high(a) & 1u) == 1u)); }

fn logic_even(a: Number) -> Number {
    return fixed_truth((wide_low(a) == 0u) & ((wide_high(a) & 1u) == 0u) & !is_unknown(a));
}
