// queueing/source_words: where the rows of a source of a network of classes lie, and the words of its intervals: two words of annex for
// each source, behind the sums of classes. Sources are numbered over all replications. The twin of multiclass/sources/source_words.
//
//   model_table, in the second row of a source: start | its two rows of intervals | its row of batches
//
// Reads and writes: annex.

import package::lib::law::{Law};
import package::lib::time::{Time};
import package::queueing::network::{law_at};
import package::queueing::places::{annex, annex_wide, places, set_annex, model_table};
import package::queueing::records::{parameters};
import word64::{Wide, wide};

fn law_numbered(number: u32) -> Law { return law_at(number); }
fn row_numbered(row: u32) -> vec4<u32> { return model_table[row]; }

fn about_source(source: u32) -> vec4<u32> { return model_table[places.sources + 2u * (source % places.sources_each) + 1u]; }
fn intervals_row(source: u32) -> u32 { return about_source(source).z; }
fn batches_row(source: u32) -> u32 { return about_source(source).w; }

fn start_of(source: u32) -> Time {
    let row = about_source(source);
    return wide(row.x, row.y);
}

fn words_of(source: u32) -> u32 {
    return places.class_sums + 4u * places.classes * parameters.stations + 2u * source;
}

fn first_word(source: u32) -> Wide { return annex_wide(words_of(source)); }
fn first_pair(source: u32) -> vec2<u32> { return annex[words_of(source)]; }
fn second_word(source: u32) -> Wide { return annex_wide(words_of(source) + 1u); }
fn set_first_word(source: u32, value: Wide) { set_annex(words_of(source), value); }
fn set_first_pair(source: u32, a: u32, b: u32) { annex[words_of(source)] = vec2<u32>(a, b); }
fn set_second_word(source: u32, value: Wide) { set_annex(words_of(source) + 1u, value); }
