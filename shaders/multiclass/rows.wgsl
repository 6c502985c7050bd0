// multiclass/rows: where the records of a replication lie, and their rows.
//
// Words lie in rows of two: the words 2 n and 2 n + 1 are row n. The rows of a record, of a station or a token say, lie together: first
// the first records of all replications, then the second ones. So a thread finds a record by one product, and neighbouring threads find
// their records beside it.
//
// Where other files say that they read or write replication_state, near rows are meant, too.
//
// Reads and writes: replication_state and near_rows, of this thread's replication only.

import constants::{HAS_NEAR};
import package::multiclass::near::{NEAR, is_near, near_record_at, near_rows};
import package::multiclass::parameters::{plan};
import word64::{Wide, wide, wide_high, wide_low};

var<storage, read_write> replication_state: array<vec4<u32>>;
// The place of this replication among those of the buffer.
var<private> copy_number: u32;

// The first row of a record of `rows` rows; the first record is at the beginning of its kind.
fn record_at(begin: u32, number: u32, rows: u32) -> u32 {
    return begin + (number * plan.replications + copy_number) * rows;
}

// The same of a record of a kind that may be near.
fn either_record_at(near_begin: u32, begin: u32, number: u32, rows: u32) -> u32 {
    if (HAS_NEAR) { return near_record_at(near_begin, number, rows); }
    return record_at(begin, number, rows);
}

fn source_at(source: u32) -> u32 { return either_record_at(plan.near_sources, plan.sources_at, source, plan.source_rows); }
fn station_at(id: u32) -> u32 { return either_record_at(plan.near_stations, plan.stations_at, id, plan.station_rows); }

// Of a class at a station.
fn account_at(id: u32, class_of: u32) -> u32 {
    return either_record_at(plan.near_accounts, plan.accounts_at, id * plan.classes + class_of, plan.account_rows);
}

fn row_at(row: u32) -> vec4<u32> {
    if (is_near(row)) { return near_rows[row - NEAR]; }
    return replication_state[row];
}

fn set_row(row: u32, words: vec4<u32>) {
    if (is_near(row)) { near_rows[row - NEAR] = words; } else { replication_state[row] = words; }
}

// The same of rows that are never near: those of tokens and of the replication itself.
fn far_row_at(row: u32) -> vec4<u32> { return replication_state[row]; }
fn set_far_row(row: u32, words: vec4<u32>) { replication_state[row] = words; }

// A row with a new word at one of its four places.
fn with_word(row: vec4<u32>, place: u32, word: u32) -> vec4<u32> {
    return select(row, vec4<u32>(word), vec4<u32>(place) == vec4<u32>(0u, 1u, 2u, 3u));
}

// The first and the second word of a row. Rows are written whole: adapters write parts of rows far more slowly.
fn front_at(row: u32) -> vec2<u32> { return row_at(row).xy; }
fn back_at(row: u32) -> vec2<u32> { return row_at(row).zw; }
fn set_front(row: u32, a: u32, b: u32) { set_row(row, vec4<u32>(a, b, row_at(row).zw)); }
fn set_back(row: u32, a: u32, b: u32) { set_row(row, vec4<u32>(row_at(row).xy, a, b)); }

fn front_wide(row: u32) -> Wide {
    let pair = front_at(row);
    return wide(pair.x, pair.y);
}

fn back_wide(row: u32) -> Wide {
    let pair = back_at(row);
    return wide(pair.x, pair.y);
}

fn set_front_wide(row: u32, value: Wide) { set_front(row, wide_low(value), wide_high(value)); }
fn set_back_wide(row: u32, value: Wide) { set_back(row, wide_low(value), wide_high(value)); }

// Two words as a row.
fn row_of(a: Wide, b: Wide) -> vec4<u32> { return vec4<u32>(wide_low(a), wide_high(a), wide_low(b), wide_high(b)); }
