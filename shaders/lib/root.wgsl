// lib/root: square roots of whole numbers.

import word64::{Wide, wide, wide_less, wide_product};

// The least whole number whose square is at least the radicand, which is at most 2^62. The loop begins with the highest bit: where it began
// with the highest bit of the root, a driver compiled it to other roots.
fn root_above(radicand: Wide) -> u32 {
    if (wide_less(radicand, wide(1u, 0u))) { return 0u; }
    var below = 0u;
    for (var bit = 0x80000000u; bit > 0u; bit >>= 1u) {
        let tried = below | bit;
        if (wide_less(wide_product(tried, tried), radicand)) { below = tried; }
    }
    return below + 1u;
}
