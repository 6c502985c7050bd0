// lib/pcg32: `Pcg32` (O'Neill 2014), the twin of src/core/random/stream.rs: 64 bits of state, an odd increment, 32 bits a draw.

import word64::{Wide, wide, wide_add, wide_high, wide_low, wide_multiply};

struct Stream {
    state: Wide,
    increment: Wide,
}

// The next 32 uniform bits: the output function of the old state, then one step.
fn draw(stream: ptr<function, Stream>) -> u32 {
    let state = (*stream).state;
    (*stream).state = wide_add(wide_multiply(state, wide(0x4c957f2du, 0x5851f42du)), (*stream).increment);
    let low = wide_low(state);
    let high = wide_high(state);
    // Bits 27 to 58 of state ^ (state >> 18), rotated right by the top five bits.
    let bits = ((low >> 27u) | (high << 5u)) ^ (high >> 13u);
    let turn = high >> 27u;
    return (bits >> turn) | (bits << ((32u - turn) & 31u));
}
