// lib/drawn: how many numbers a stream has drawn, from its state (Brown 1994: a bit of the number at a time, the lowest
// first). The twin of StreamKey::draws in src/core/random/stream.rs.

import package::lib::pcg32::{Stream};
import package::lib::wide::{wide_differs, wide_xor};
import word64::{Wide, wide, wide_add, wide_high, wide_low, wide_multiply};

// The draws from the state of `first` to `state`.
fn drawn(first: Stream, state: Wide) -> Wide {
    var here = first.state;
    var increment = first.increment;
    var multiplier = wide(0x4c957f2du, 0x5851f42du);
    var draws = wide(0u, 0u);
    var bit = wide(1u, 0u);
    for (var place = 0u; place < 64u && wide_differs(here, state); place += 1u) {
        let differing = wide_xor(here, state);
        if (((wide_low(differing) & wide_low(bit)) | (wide_high(differing) & wide_high(bit))) != 0u) {
            here = wide_add(wide_multiply(here, multiplier), increment);
            draws = wide_add(draws, bit);
        }
        increment = wide_multiply(wide_add(multiplier, wide(1u, 0u)), increment);
        multiplier = wide_multiply(multiplier, multiplier);
        bit = wide_add(bit, bit);
    }
    return draws;
}
