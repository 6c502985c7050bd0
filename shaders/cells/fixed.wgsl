// cells/fixed: numbers of rules, the twin of src/cdpp/fixed.rs: 32 fraction bits in two's complement, the lowest integer for "?". No
// function wraps: a result out of range sets the fault word. Rare cases select a result and do not branch to it: CUDA's compiler would
// write what follows a branch twice, and lanes would go apart.

import package::cells::space::{cell_id};
import package::lib::divide::{wide_divide};
import package::lib::long::{Long, long_divide, long_product, long_shifted, wide_left, wide_negated};

import faults::{raise};
import word64::{Wide, wide, wide_add, wide_high, wide_less, wide_low};

alias Number = Wide;

const RULE_RANGE: u32 = 0x100u;

// Sets the fault of a number out of range.
fn fixed_range() -> Number { return fixed_within(wide(0u, 0u), true); }

// A number, which sets the fault where it is beyond the range.
fn fixed_within(a: Number, is_beyond: bool) -> Number {
    if (is_beyond) { raise(RULE_RANGE, cell_id); }
    return select(a, wide(0u, 0u), is_beyond);
}

fn fixed_unknown() -> Number { return wide(0u, 0x80000000u); }
fn fixed_truth(truth: bool) -> Number { return wide(0u, select(0u, 1u, truth)); }
fn is_unknown(a: Number) -> bool { return (wide_high(a) == 0x80000000u) & (wide_low(a) == 0u); }
fn is_one(a: Number) -> bool { return (wide_high(a) == 1u) & (wide_low(a) == 0u); }
fn is_zero(a: Number) -> bool { return (wide_high(a) | wide_low(a)) == 0u; }
fn fixed_either(a: Number, b: Number) -> bool { return is_unknown(a) | is_unknown(b); }

// Below 0, or "?".
fn fixed_negative(a: Number) -> bool { return wide_high(a) >> 31u == 1u; }
fn fixed_size(a: Number) -> Wide { return select(a, wide_negated(a), fixed_negative(a)); }

// "?" is below every number.
fn fixed_less(a: Number, b: Number) -> bool {
    return wide_less(wide(wide_low(a), wide_high(a) ^ 0x80000000u), wide(wide_low(b), wide_high(b) ^ 0x80000000u));
}

// A number from its size and its sign.
fn fixed_signed(size: Wide, negative: bool) -> Number { return fixed_signed_or(size, negative, false); }

// The same, or "?".
fn fixed_signed_or(size: Wide, negative: bool, unknown: bool) -> Number {
    let is_beyond = !unknown & (wide_high(size) > 0x7fffffffu);
    return select(fixed_within(select(size, wide_negated(size), negative), is_beyond), fixed_unknown(), unknown);
}

// "?" is its own negative.
fn fixed_negate(a: Number) -> Number { return wide_negated(a); }

fn fixed_add(a: Number, b: Number) -> Number {
    let unknown = fixed_either(a, b);
    let sum = wide_add(a, b);
    let signs = (wide_high(a) ^ wide_high(sum)) & (wide_high(b) ^ wide_high(sum));
    let is_beyond = !unknown & ((signs >> 31u == 1u) | is_unknown(sum));
    return select(fixed_within(sum, is_beyond), fixed_unknown(), unknown);
}

fn fixed_subtract(a: Number, b: Number) -> Number { return fixed_add(a, fixed_negate(b)); }

fn fixed_multiply(a: Number, b: Number) -> Number {
    let size = long_shifted(long_product(fixed_size(a), fixed_size(b)), 32u);
    return fixed_signed_or(size, fixed_negative(a) != fixed_negative(b), fixed_either(a, b));
}

// The product with a constant, mantissa / 2^shift.
fn fixed_scale(a: Number, mantissa: Wide, shift: u32, negative: bool) -> Number {
    let size = long_shifted(long_product(fixed_size(a), mantissa), shift);
    return fixed_signed_or(size, fixed_negative(a) != negative, is_unknown(a));
}

fn fixed_divide(a: Number, b: Number) -> Number {
    let size = fixed_size(a);
    let divisor = fixed_size(b);
    let unknown = fixed_either(a, b) | is_zero(b);
    var quotient = wide(0u, 0u);
    if (wide_low(divisor) == 0u) {
        quotient = wide_divide(wide_add(size, wide(wide_high(divisor) / 2u, 0u)), max(wide_high(divisor), 1u));
    } else {
        let shifted = Long(wide(0u, wide_low(size)), wide(wide_high(size), 0u));
        let found = long_divide(shifted, divisor);
        let up = select(1u, 0u, wide_less(wide_left(found.high, 1u), divisor));
        let is_beyond = !wide_less(shifted.high, divisor) | (wide_high(found.low) > 0x7fffffffu);
        quotient = select(wide_add(found.low, wide(up, 0u)), wide(0xffffffffu, 0xffffffffu), is_beyond);
    }
    return fixed_signed_or(quotient, fixed_negative(a) != fixed_negative(b), unknown);
}

fn fixed_remainder(a: Number, b: Number) -> Number {
    if (fixed_either(a, b) || is_zero(b)) { return fixed_unknown(); }
    return fixed_signed(long_divide(Long(fixed_size(a), wide(0u, 0u)), fixed_size(b)).high, fixed_negative(a));
}

// "?" is below every number.
fn fixed_minimum(a: Number, b: Number) -> Number { return select(a, b, fixed_less(b, a)); }

fn fixed_maximum(a: Number, b: Number) -> Number {
    return select(select(a, b, fixed_less(a, b)), fixed_unknown(), fixed_either(a, b));
}

// The size of "?" is "?".
fn fixed_absolute(a: Number) -> Number { return fixed_size(a); }

fn fixed_sign(a: Number) -> Number {
    if (is_unknown(a) || is_zero(a)) { return a; }
    return wide(0u, select(1u, 0xffffffffu, fixed_negative(a)));
}

// The largest whole number that is at most a number plus so many steps.
fn fixed_whole_below(a: Number, steps: u32) -> Number {
    let sum = wide_add(a, wide(steps, 0u));
    let found = wide(0u, wide_high(sum));
    let is_beyond = is_unknown(found) | (fixed_negative(sum) & !fixed_negative(a));
    return select(fixed_within(found, is_beyond & !is_unknown(a)), a, is_unknown(a));
}

fn fixed_truncate(a: Number) -> Number { return fixed_whole_below(a, 0u); }
fn fixed_ceiling(a: Number) -> Number { return fixed_whole_below(a, 0xffffffffu); }

// Of two whole numbers equally near, the even one.
fn fixed_round(a: Number) -> Number { return fixed_whole_below(a, 0x7fffffffu + (wide_high(a) & 1u)); }

fn fixed_fractional(a: Number) -> Number {
    return fixed_signed_or(wide(wide_low(fixed_size(a)), 0u), fixed_negative(a), is_unknown(a));
}

// A whole number.
fn fixed_whole(number: u32) -> Number { return fixed_within(wide(0u, number), number > 0x7fffffffu); }
