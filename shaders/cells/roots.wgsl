// cells/roots: roots of rules, a part of the twin of src/cdpp/functions.rs. Numbers are steps of 2^-16.

import package::cells::fixed::{UNDEFINED, fixed_signed};
import package::lib::root::{root_of};
import word64::{wide, wide_add, wide_product};

fn function_square_root(a: i32) -> i32 {
    if (a < 0) { return UNDEFINED; }
    return i32(root_of(wide(u32(a) << 16u, u32(a) >> 16u)));
}

fn function_hypotenuse(a: i32, b: i32) -> i32 {
    if (a < 0 || b < 0) { return UNDEFINED; }
    return fixed_signed(root_of(wide_add(wide_product(u32(a), u32(a)), wide_product(u32(b), u32(b)))), false);
}
