// multiclass/sources/intervals_by_rate: tokens of a source come by its law, or at a rate that changes with time.

import package::lib::pcg32::{Stream};
import package::lib::service::{service_time};
import package::lib::time::{Time};
import package::multiclass::sources::intensity::{begin_period, next_by_rate};
import package::multiclass::sources::intervals::{intervals_of};
import source_words::{law_numbered};
import word64::{wide_add};

fn begin_intervals(source: u32, start: Time) { begin_period(source, start); }

// When the next token of a source comes, after the token of a time; never where that is 2^63 or later.
fn next_arrival(source: u32, law: u32, since: Time, stream: ptr<function, Stream>) -> Time {
    let steps = intervals_of(source);
    if (steps.count == 0u) { return wide_add(since, service_time(law_numbered(law), stream)); }
    return next_by_rate(source, steps, stream);
}

fn brings_tokens(source: u32) -> bool { return true; }
fn class_of_next(source: u32, own: u32) -> u32 { return own; }
fn tokens_of_next(source: u32) -> u32 { return 1u; }
fn next_row(source: u32) -> u32 { return 0u; }
