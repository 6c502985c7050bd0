// multiclass/sources/source_words: where the rows of a source lie, and the words of its intervals: its words 4 and 5. The twin of
// queueing/source_words.
// Reads: parameters, model_table. Reads and writes: replication_state.

import package::lib::law::{Law};
import package::lib::time::{Time};
import package::multiclass::parameters::{law_at, plan, model_row};
import package::multiclass::rows::{back_wide, front_at, front_wide, set_back_wide, set_front, set_front_wide, source_at};
import package::multiclass::sources::rules::{inflow_limit_of};
import word64::{Wide};

fn law_numbered(number: u32) -> Law { return law_at(number); }
fn row_numbered(row: u32) -> vec4<u32> { return model_row(row); }

// Where a source's row of intervals lies; below, its row of batches.
fn intervals_row(source: u32) -> u32 { return plan.intervals + 2u * source; }
fn batches_row(source: u32) -> u32 { return plan.batches + source; }

fn start_of(source: u32) -> Time { return inflow_limit_of(source).start; }

fn first_word(source: u32) -> Wide { return front_wide(source_at(source) + 2u); }
fn first_pair(source: u32) -> vec2<u32> { return front_at(source_at(source) + 2u); }
fn second_word(source: u32) -> Wide { return back_wide(source_at(source) + 2u); }
fn set_first_word(source: u32, value: Wide) { set_front_wide(source_at(source) + 2u, value); }
fn set_first_pair(source: u32, a: u32, b: u32) { set_front(source_at(source) + 2u, a, b); }
fn set_second_word(source: u32, value: Wide) { set_back_wide(source_at(source) + 2u, value); }
