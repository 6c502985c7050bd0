// multiclass/sources/intervals_varied: tokens of a source come by its law, at a rate that changes with time, with changes of phase, or by a
// trace. With a trace word 4 of the source has the row behind the row of the next tokens.

import package::lib::pcg32::{Stream};
import package::lib::service::{service_time};
import package::lib::time::{Time, never};
import package::multiclass::sources::intensity::{begin_period, bounded_sum, next_by_rate};
import package::multiclass::sources::intervals::{Intervals, coming_at, intervals_of};
import package::multiclass::sources::intervals_by_phase::{brings, next_change};
import source_words::{first_pair, law_numbered, set_first_pair, start_of};
import word64::{wide_add};

const BY_LAW: u32 = 0u;
const BY_RATE: u32 = 1u;
const BY_PHASE: u32 = 2u;
const BY_TRACE: u32 = 3u;

fn begin_intervals(source: u32, start: Time) {
    if (intervals_of(source).kind == BY_RATE) { begin_period(source, start); }
}

// When the next tokens of a source come, or its phase changes, after a time; never where that is 2^63 or later.
fn next_arrival(source: u32, law: u32, since: Time, stream: ptr<function, Stream>) -> Time {
    let intervals = intervals_of(source);
    switch intervals.kind {
        case BY_LAW: { return wide_add(since, service_time(law_numbered(law), stream)); }
        case BY_RATE: { return next_by_rate(source, intervals, stream); }
        case BY_PHASE: { return next_change(source, intervals, since, stream); }
        default: {}
    }
    return next_of_trace(source, intervals);
}

fn next_row(source: u32) -> u32 { return first_pair(source).x; }

fn next_of_trace(source: u32, trace: Intervals) -> Time {
    let next = next_row(source);
    if (next == trace.count) { return never(); }
    set_first_pair(source, next + 1u, 0u);
    return bounded_sum(start_of(source), coming_at(trace.first + next).after);
}

// Whether tokens come with the event of a source; below, their class, and, where a trace says it, their number.
fn brings_tokens(source: u32) -> bool { return intervals_of(source).kind != BY_PHASE || brings(source); }

fn class_of_next(source: u32, own: u32) -> u32 {
    let intervals = intervals_of(source);
    if (intervals.kind != BY_TRACE) { return own; }
    return coming_at(intervals.first + next_row(source) - 1u).class_of;
}

fn tokens_of_next(source: u32) -> u32 {
    return coming_at(intervals_of(source).first + next_row(source) - 1u).tokens;
}
