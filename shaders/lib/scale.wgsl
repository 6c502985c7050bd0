// lib/scale: bins that grow with the time, the twin of src/core/statistics/histogram.rs: a bin of time 0; 32 bins of 2^shift
// ticks; then 32 for every factor of two; the last one is open.

import word64::{Wide, wide_high, wide_low};

fn scale_bin(time: Wide, shift: u32, bins: u32) -> u32 {
    let low = wide_low(time);
    let high = wide_high(time);
    if ((low | high) == 0u) { return 0u; }
    let top = select(31u - countLeadingZeros(low), 63u - countLeadingZeros(high), high != 0u);
    let octave = max(top, shift + 5u) - shift - 5u;
    return min(1u + 32u * octave + shifted_down(low, high, shift + octave), bins - 1u);
}

// The low word of a time divided by 2^bits.
fn shifted_down(low: u32, high: u32, bits: u32) -> u32 {
    if (bits >= 32u) { return high >> (bits - 32u); }
    if (bits == 0u) { return low; }
    return (low >> bits) | (high << (32u - bits));
}
