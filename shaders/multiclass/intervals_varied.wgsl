// multiclass/intervals_varied: tokens of a source come by its law, at a rate that changes with time, with changes of phase, or as a trace
// has it. With a trace word 4 of the source has the row behind that of the next tokens.
// Reads: parameters, structure. Reads and writes: held.

import package::lib::pcg32::{Stream};
import package::lib::service::{service_time};
import package::lib::time::{Time, never};
import package::multiclass::intervals_by_phase::{brings, next_change};
import package::multiclass::intensity::{begin_period, bounded_sum, next_by_rate};
import package::multiclass::parameters::{law_at, plan, structure};
import package::multiclass::state::{front_at, set_front, source_at};
import word64::{wide, wide_add};

const BY_LAW: u32 = 0u;
const BY_RATE: u32 = 1u;
const BY_PHASE: u32 = 2u;
const BY_TRACE: u32 = 3u;

// Its first row, how many it has, and how its tokens come.
fn row_of_source(source: u32) -> vec4<u32> { return structure[plan.intervals + 2u * source]; }

fn begin_intervals(source: u32, start: Time) {
    if (row_of_source(source).z == BY_RATE) { begin_period(source, start); }
}

// When the next tokens of a source come, or its phase changes, behind that time; never where that is 2^63 or later.
fn next_arrival(source: u32, law: u32, since: Time, stream: ptr<function, Stream>) -> Time {
    let row = row_of_source(source);
    switch row.z {
        case BY_LAW: { return wide_add(since, service_time(law_at(law), stream)); }
        case BY_RATE: { return next_by_rate(source, row, stream); }
        case BY_PHASE: { return next_change(source, row, since, stream); }
        default: { return next_of_trace(source, row); }
    }
}

fn next_of_trace(source: u32, row: vec4<u32>) -> Time {
    let words = source_at(source) + 2u;
    let next = front_at(words).x;
    if (next == row.y) { return never(); }
    set_front(words, next + 1u, 0u);
    let coming = structure[row.x + next];
    let start = structure[plan.inflows + 2u * source + 1u].zw;
    return bounded_sum(wide(start.x, start.y), wide(coming.x, coming.y));
}

// Whether tokens come with the event of a source, of which class, and, where a trace says it, how many.
fn brings_tokens(source: u32) -> bool { return row_of_source(source).z != BY_PHASE || brings(source); }

fn class_of_next(source: u32, own: u32) -> u32 {
    let row = row_of_source(source);
    if (row.z != BY_TRACE) { return own; }
    return structure[row.x + front_at(source_at(source) + 2u).x - 1u].z;
}

fn tokens_of_next(source: u32) -> u32 {
    let row = row_of_source(source);
    return structure[row.x + front_at(source_at(source) + 2u).x - 1u].w;
}
