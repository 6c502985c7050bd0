// cells/roots: roots of rules, a part of the twin of src/cdpp/functions.rs.

import package::cells::fixed::{Number, fixed_negative, fixed_signed, fixed_unknown};
import package::lib::long::{Long, long_product, long_root, wide_left, wide_right};
import word64::{wide, wide_add, wide_high, wide_less, wide_low};

fn function_square_root(a: Number) -> Number {
    if (fixed_negative(a)) { return fixed_unknown(); }
    return long_root(Long(wide(0u, wide_low(a)), wide(wide_high(a), 0u)));
}

fn function_hypotenuse(a: Number, b: Number) -> Number {
    if (fixed_negative(a) || fixed_negative(b)) { return fixed_unknown(); }
    let less = select(0u, 2u, ((wide_high(a) | wide_high(b)) >> 29u) != 0u);
    let left = long_product(wide_right(a, less), wide_right(a, less));
    let right = long_product(wide_right(b, less), wide_right(b, less));
    let low = wide_add(left.low, right.low);
    let carry = wide(select(0u, 1u, wide_less(low, left.low)), 0u);
    let root = long_root(Long(low, wide_add(wide_add(left.high, right.high), carry)));
    return fixed_signed(wide_left(root, less), false);
}
