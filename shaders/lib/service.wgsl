// lib/service: service times in integers, the twin of src/core/random. Every law takes a fixed number of draws.

import package::lib::law::{LAW_CONSTANT, LAW_ERLANG, LAW_EXPONENTIAL, LAW_UNIFORM, Law};
import package::lib::pcg32::{Stream, draw};
import package::lib::wide::{multiply_high, wide_maximum, wide_scale};
import logarithm_rows::{logarithm_row};
import tables::{is_tabled, tabled_variate};
import word64::{Wide, wide, wide_add, wide_product, wide_sub};

// -ln((r + 1/2) / 2^32) in units of 2^-32.
fn exponential(r: u32) -> Wide {
    let zeros = countLeadingZeros(r);
    // The bits of f in x = 2r + 1 = 2^n (1 + f); a shift by 32 (r = 0, f = 0) is not defined.
    let fraction = select(((r << 1u) | 1u) << (zeros & 31u), 0u, r == 0u);
    let row = logarithm_row(fraction >> 24u);
    let t = fraction & 0xffffffu;
    let logarithm = row.x + multiply_high(t, row.y - multiply_high(t, row.z));
    // (33 - n) ln 2 to 64 fraction bits.
    let octaves = zeros + 1u;
    let whole = wide_add(wide_product(octaves, 0xb17217f7u), wide(multiply_high(octaves, 0xd1cf79abu), 0u));
    return wide_sub(whole, wide(logarithm, 0u));
}

// One return, and two uses of the logarithm only: compilers inline this function wherever it is called.
fn service_variate(law: Law, stream: ptr<function, Stream>) -> Wide {
    var time = wide(0u, 0u);
    // Nearly all laws are exponential.
    if (law.kind == LAW_EXPONENTIAL) {
        time = wide_scale(exponential(draw(stream)), law.first);
    } else if (is_tabled(law)) {
        time = wide_scale(tabled_variate(law, stream), law.first);
    } else if (law.kind == LAW_UNIFORM) {
        time = wide_scale(wide(draw(stream), 0u), law.first);
    } else if (law.kind != LAW_CONSTANT) {
        time = stages_of(law, stream);
    }
    return time;
}

// Erlang: exponential stages one after the other. Hyperexponential: one stage, with either of two means.
fn stages_of(law: Law, stream: ptr<function, Stream>) -> Wide {
    var sum = wide(0u, 0u);
    var scale = law.first;
    var stages = law.stages;
    if (law.kind != LAW_ERLANG) {
        stages = 1u;
        if (draw(stream) >= law.threshold) { scale = law.second; }
    }
    for (var stage = 0u; stage < stages; stage += 1u) { sum = wide_add(sum, wide_scale(exponential(draw(stream)), scale)); }
    return sum;
}

// The next service time of a stream; at least one tick.
fn service_time(law: Law, stream: ptr<function, Stream>) -> Wide {
    return wide_maximum(wide_add(law.offset, service_variate(law, stream)), wide(1u, 0u));
}
