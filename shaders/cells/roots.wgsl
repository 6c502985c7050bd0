// cells/roots: roots of rules, a part of the twin of src/cells/rules/functions.rs. Numbers are steps of 2^-16.

import package::cells::fixed::{UNDEFINED, fixed_signed};
import word64::{Wide, wide, wide_add, wide_less, wide_product, wide_sub};

// The whole number that is nearest to a root.
fn root_of(radicand: Wide) -> u32 {
    var found = 0u;
    for (var bit = 0x80000000u; bit > 0u; bit >>= 1u) {
        let tried = found | bit;
        if (!wide_less(radicand, wide_product(tried, tried))) { found = tried; }
    }
    let rest = wide_sub(radicand, wide_product(found, found));
    let up = wide_less(wide(found, 0u), rest) && found != 0xffffffffu;
    return found + select(0u, 1u, up);
}

fn function_square_root(a: i32) -> i32 {
    if (a < 0) { return UNDEFINED; }
    return i32(root_of(wide(u32(a) << 16u, u32(a) >> 16u)));
}

fn function_hypotenuse(a: i32, b: i32) -> i32 {
    if (a < 0 || b < 0) { return UNDEFINED; }
    return fixed_signed(root_of(wide_add(wide_product(u32(a), u32(a)), wide_product(u32(b), u32(b)))), false);
}
