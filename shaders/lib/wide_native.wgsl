// lib/wide_native: 64-bit unsigned words where the adapter has them. The same functions as lib/wide_words.
// Additions, subtractions and products wrap modulo 2^64.

alias Wide = u64;

fn wide(low: u32, high: u32) -> Wide { return (u64(high) << 32u) | u64(low); }
fn wide_low(a: Wide) -> u32 { return u32(a & 0xfffffffflu); }
fn wide_high(a: Wide) -> u32 { return u32(a >> 32u); }
fn wide_add(a: Wide, b: Wide) -> Wide { return a + b; }
fn wide_sub(a: Wide, b: Wide) -> Wide { return a - b; }
fn wide_multiply(a: Wide, b: Wide) -> Wide { return a * b; }
fn wide_less(a: Wide, b: Wide) -> bool { return a < b; }

// The whole product of two 32-bit words.
fn wide_product(a: u32, b: u32) -> Wide { return u64(a) * u64(b); }
