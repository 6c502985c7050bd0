// lib/root: square roots of whole numbers.

import word64::{Wide, wide, wide_high, wide_less, wide_low, wide_product, wide_sub};

// The highest bit that a root may have.
fn first_bit(radicand: Wide) -> u32 {
    if (wide_high(radicand) != 0u) { return 0x10000u << (firstLeadingBit(wide_high(radicand)) / 2u); }
    return 1u << (firstLeadingBit(wide_low(radicand) | 1u) / 2u);
}

// The whole number nearest to the square root.
fn root_of(radicand: Wide) -> u32 {
    var found = 0u;
    for (var bit = first_bit(radicand); bit > 0u; bit >>= 1u) {
        let tried = found | bit;
        if (!wide_less(radicand, wide_product(tried, tried))) { found = tried; }
    }
    let rest = wide_sub(radicand, wide_product(found, found));
    let up = wide_less(wide(found, 0u), rest) && found != 0xffffffffu;
    return found + select(0u, 1u, up);
}

// The least whole number whose square is at least the radicand, which is at most 2^62.
fn root_above(radicand: Wide) -> u32 {
    let root = root_of(radicand);
    return root + select(0u, 1u, wide_less(wide_product(root, root), radicand));
}
