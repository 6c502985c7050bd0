// lib/wide_words: 64-bit unsigned words as two 32-bit ones, low word first. The same functions as lib/wide_native.
// Additions, subtractions and products wrap modulo 2^64.

alias Wide = vec2<u32>;

fn wide(low: u32, high: u32) -> Wide { return vec2<u32>(low, high); }
fn wide_low(a: Wide) -> u32 { return a.x; }
fn wide_high(a: Wide) -> u32 { return a.y; }

fn wide_add(a: Wide, b: Wide) -> Wide {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn wide_sub(a: Wide, b: Wide) -> Wide {
    return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

// `&&` and `||` would be branches, hundreds in every kernel.
fn wide_less(a: Wide, b: Wide) -> bool { return (a.y < b.y) | ((a.y == b.y) & (a.x < b.x)); }

// The whole product of two 32-bit words, from four products of their halves.
fn wide_product(a: u32, b: u32) -> Wide {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let left = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let right = (a & 0xffffu) * (b >> 16u) + (left & 0xffffu);
    return vec2<u32>(a * b, (a >> 16u) * (b >> 16u) + (left >> 16u) + (right >> 16u));
}

fn wide_multiply(a: Wide, b: Wide) -> Wide {
    let low = wide_product(a.x, b.x);
    return vec2<u32>(low.x, low.y + a.x * b.y + a.y * b.x);
}
