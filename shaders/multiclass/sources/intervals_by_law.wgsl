// multiclass/sources/intervals_by_law: the time between two tokens of a source is drawn from its law.

import package::lib::pcg32::{Stream};
import package::lib::service::{service_time};
import package::lib::time::{Time};
import source_words::{law_numbered};
import word64::{wide_add};

fn begin_intervals(source: u32, start: Time) {}

// When the next token of a source comes, after the token of a time.
fn next_arrival(source: u32, law: u32, since: Time, stream: ptr<function, Stream>) -> Time {
    return wide_add(since, service_time(law_numbered(law), stream));
}

// Whether tokens come with the event of a source; below, their class, and, where a trace says it, their number, and the row behind theirs.
fn brings_tokens(source: u32) -> bool { return true; }
fn class_of_next(source: u32, own: u32) -> u32 { return own; }
fn tokens_of_next(source: u32) -> u32 { return 1u; }
fn next_row(source: u32) -> u32 { return 0u; }
