// cells/fixed: numbers of rules, the twin of src/cdpp/fixed.rs: 16 fraction bits, the lowest integer for "?". No
// function wraps: a result out of range sets the fault word.

import package::cells::space::{cell_id};
import faults::{raise};
import word64::{wide, wide_add, wide_high, wide_low, wide_product};

const UNDEFINED: i32 = -2147483647 - 1;
const ONE: i32 = 65536;
const RULE_RANGE: u32 = 0x100u;

// Sets the fault of a number out of range.
fn fixed_range() -> i32 {
    raise(RULE_RANGE, cell_id);
    return 0;
}

fn fixed_either(a: i32, b: i32) -> bool { return a == UNDEFINED || b == UNDEFINED; }
fn fixed_truth(truth: bool) -> i32 { return select(0, ONE, truth); }

// A number from its size and its sign.
fn fixed_signed(size: u32, negative: bool) -> i32 {
    if (size > 0x7fffffffu) { return fixed_range(); }
    return select(i32(size), -i32(size), negative);
}

fn fixed_negate(a: i32) -> i32 {
    if (a == UNDEFINED) { return a; }
    return -a;
}

fn fixed_add(a: i32, b: i32) -> i32 {
    if (fixed_either(a, b)) { return UNDEFINED; }
    let sum = bitcast<i32>(bitcast<u32>(a) + bitcast<u32>(b));
    if (((a ^ sum) & (b ^ sum)) < 0 || sum == UNDEFINED) { return fixed_range(); }
    return sum;
}

fn fixed_subtract(a: i32, b: i32) -> i32 { return fixed_add(a, fixed_negate(b)); }

fn fixed_multiply(a: i32, b: i32) -> i32 {
    if (fixed_either(a, b)) { return UNDEFINED; }
    let product = wide_add(wide_product(u32(abs(a)), u32(abs(b))), wide(0x8000u, 0u));
    if (wide_high(product) > 0xffffu) { return fixed_range(); }
    return fixed_signed((wide_low(product) >> 16u) | (wide_high(product) << 16u), (a < 0) != (b < 0));
}

// The fraction comes a bit at a time, which needs no quotient of 64 bits.
fn fixed_divide(a: i32, b: i32) -> i32 {
    if (fixed_either(a, b) || b == 0) { return UNDEFINED; }
    let divisor = u32(abs(b));
    var size = u32(abs(a)) / divisor;
    var rest = u32(abs(a)) % divisor;
    if (size > 0x7fffu) { return fixed_range(); }
    for (var bit = 0u; bit < 16u; bit += 1u) {
        rest <<= 1u;
        size <<= 1u;
        if (rest >= divisor) {
            rest -= divisor;
            size |= 1u;
        }
    }
    size += select(0u, 1u, 2u * rest >= divisor);
    return fixed_signed(size, (a < 0) != (b < 0));
}

fn fixed_remainder(a: i32, b: i32) -> i32 {
    if (fixed_either(a, b) || b == 0) { return UNDEFINED; }
    return fixed_signed(u32(abs(a)) % u32(abs(b)), a < 0);
}

fn fixed_minimum(a: i32, b: i32) -> i32 {
    // The lowest integer stands for "?".
    return min(a, b);
}

fn fixed_maximum(a: i32, b: i32) -> i32 {
    if (fixed_either(a, b)) { return UNDEFINED; }
    return max(a, b);
}

fn fixed_absolute(a: i32) -> i32 {
    if (a == UNDEFINED) { return a; }
    return abs(a);
}

fn fixed_sign(a: i32) -> i32 {
    if (a == UNDEFINED || a == 0) { return a; }
    return select(ONE, -ONE, a < 0);
}

// The largest whole number that is at most a number plus so many steps.
fn fixed_whole_below(a: i32, steps: i32) -> i32 {
    if (a == UNDEFINED) { return a; }
    if (a > 0x7fffffff - steps) { return fixed_range(); }
    let found = (a + steps) & ~0xffff;
    if (found == UNDEFINED) { return fixed_range(); }
    return found;
}

fn fixed_truncate(a: i32) -> i32 { return fixed_whole_below(a, 0); }
fn fixed_ceiling(a: i32) -> i32 { return fixed_whole_below(a, 0xffff); }

// Of two whole numbers equally near, the even one.
fn fixed_round(a: i32) -> i32 { return fixed_whole_below(a, 0x7fff + ((a >> 16u) & 1)); }

fn fixed_fractional(a: i32) -> i32 {
    if (a == UNDEFINED) { return a; }
    return fixed_signed(u32(abs(a)) & 0xffffu, a < 0);
}

// A whole number.
fn fixed_whole(number: u32) -> i32 {
    if (number > 0x7fffu) { return fixed_range(); }
    return i32(number << 16u);
}
