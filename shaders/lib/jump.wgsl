// lib/jump: the state of a stream some draws ahead, in as many steps as their number has bits (Brown 1994).

fn jump(stream: Stream, draws: u32) -> Wide {
    var multiplier = wide(0x4c957f2du, 0x5851f42du);
    var increment = stream.increment;
    var factor = wide(1u, 0u);
    var term = wide(0u, 0u);
    for (var rest = draws; rest != 0u; rest >>= 1u) {
        if ((rest & 1u) != 0u) {
            factor = wide_multiply(factor, multiplier);
            term = wide_add(wide_multiply(term, multiplier), increment);
        }
        increment = wide_multiply(wide_add(multiplier, wide(1u, 0u)), increment);
        multiplier = wide_multiply(multiplier, multiplier);
    }
    return wide_add(wide_multiply(factor, stream.state), term);
}
