// lib/root: square roots of whole numbers.

import word64::{Wide, wide, wide_less, wide_product, wide_sub};

// Every loop here begins with the highest bit: where it began with the highest bit of the root, a driver compiled it to other roots.

// The whole number nearest to the square root.
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

// The least whole number whose square is at least the radicand, which is from 1 to 2^62.
fn root_above(radicand: Wide) -> u32 {
    var below = 0u;
    for (var bit = 0x80000000u; bit > 0u; bit >>= 1u) {
        let tried = below | bit;
        if (wide_less(wide_product(tried, tried), radicand)) { below = tried; }
    }
    return below + 1u;
}
