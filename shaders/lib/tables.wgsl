// lib/tables: variates of laws with tables, in units of 2^-32: the twin of src/core/random/table.rs. The rows of tables
// lie behind the rows of the logarithm. A row has the start of a line and its rise.

import package::lib::law::{LAW_QUANTILES, LAW_STEPS, Law};
import package::lib::pcg32::{Stream, draw};
import package::lib::wide::{multiply_high};
import logarithm_rows::{logarithm_row};
import word64::{Wide, wide, wide_add, wide_product};

const ROWS: u32 = 5u; // of an octave, as a logarithm

fn is_tabled(law: Law) -> bool { return law.kind == LAW_QUANTILES || law.kind == LAW_STEPS; }

fn tabled_variate(law: Law, stream: ptr<function, Stream>) -> Wide {
    if (law.kind == LAW_STEPS) { return step_variate(law, stream); }
    return quantile(law, stream);
}

fn along_row(row: vec4<u32>, t: u32) -> Wide {
    return wide_add(wide(row.x, row.y), wide_add(wide_product(t, row.w), wide(multiply_high(t, row.z), 0u)));
}

// The octave is the number of zeros before the first one-bit of the draws, counted from the nearer end.
fn quantile(law: Law, stream: ptr<function, Stream>) -> Wide {
    let first = draw(stream);
    var low = 0x80000000u;
    if (law.stages == 2u) { low = draw(stream) | 1u; }
    let upper = (first >> 31u) != 0u;
    var high = select(first, ~first, upper);
    var octave = select(0u, 32u * law.stages, upper) - 1u;
    if (high == 0u) {
        octave += 32u;
        high = low;
        low = 0u;
    }
    let zeros = countLeadingZeros(high);
    // Without the leading one-bit.
    let fraction = ((high << zeros) | ((low >> 1u) >> (31u - zeros))) << 1u;
    let row = logarithm_row(law.table + ((octave + zeros) << ROWS) + (fraction >> (32u - ROWS)));
    let t = fraction << ROWS;
    return along_row(row, select(t, ~t, upper));
}

// The first step whose largest draw is at least the draw; a row has four steps.
fn step_variate(law: Law, stream: ptr<function, Stream>) -> Wide {
    let place = draw(stream);
    let uppers = law.table + law.threshold;
    var low = 0u;
    var high = law.threshold - 1u;
    while (low < high) {
        let middle = (low + high) / 2u;
        let four = logarithm_row(uppers + middle / 4u);
        let odd = (middle & 1u) != 0u;
        let upper = select(select(four.x, four.y, odd), select(four.z, four.w, odd), (middle & 2u) != 0u);
        if (upper < place) { low = middle + 1u; } else { high = middle; }
    }
    let row = logarithm_row(law.table + low);
    if (law.stages == 1u) { return wide(row.x, row.y); }
    return along_row(row, draw(stream));
}
