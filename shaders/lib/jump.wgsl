// lib/jump: the state of a stream after some further draws, in as many steps as their number has bits (Brown 1994).

import package::lib::pcg32::{Stream};
import word64::{Wide, wide, wide_add, wide_multiply};

// So many draws at once: state becomes factor * state + term.
struct Leap {
    factor: Wide,
    term: Wide,
}

fn leap_over(draws: u32, of_stream: Wide) -> Leap {
    var multiplier = wide(0x4c957f2du, 0x5851f42du);
    var increment = of_stream;
    var leap = Leap(wide(1u, 0u), wide(0u, 0u));
    for (var rest = draws; rest != 0u; rest >>= 1u) {
        if ((rest & 1u) != 0u) {
            leap.factor = wide_multiply(leap.factor, multiplier);
            leap.term = wide_add(wide_multiply(leap.term, multiplier), increment);
        }
        increment = wide_multiply(wide_add(multiplier, wide(1u, 0u)), increment);
        multiplier = wide_multiply(multiplier, multiplier);
    }
    return leap;
}

fn leapt(state: Wide, leap: Leap) -> Wide { return wide_add(wide_multiply(leap.factor, state), leap.term); }

fn jump(stream: Stream, draws: u32) -> Wide { return leapt(stream.state, leap_over(draws, stream.increment)); }
