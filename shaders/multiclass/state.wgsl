// multiclass/state: the words of a replication, and the registers of a thread.
//
//   0    events pending; the first free place of a token, or NONE
//   1    places that were ever used; the row of the next token of time 0
//   2    tokens in the network; tokens in the network at the end of the warm-up
//   3    tokens of that row that are there; tokens that found no room before the end of the warm-up
//   4    ends of services
//   5    a lower bound on the next event
//   6    tokens that have balked at one instant; 1 and a station that waits for its own room, or 0
//   7    that instant; where 6 names a station, the time of its deadlock
//
// Words lie in rows of two: the words 2 n and 2 n + 1 are row n. The rows of a record, of a station or a token say, lie together: first
// the first records of all replications, then the second ones. So a thread finds a record by one product, and neighbouring threads find
// their records beside it.
//
// Reads and writes: replication_state, of this thread's replication only.

import networks::{open_network, replication_number};
import package::lib::stream::{split_mix_64};
import package::lib::time::{Time};
import package::lib::wide::{wide_xor};
import package::multiclass::parameters::{plan};
import series::{close_series, moves_on, notes_in_network, open_series};
import word64::{Wide, wide, wide_high, wide_less, wide_low, wide_multiply};

struct Replication {
    pending: u32,
    free: u32,
    used: u32,
    initial: u32,
    present: u32,
    before: u32,
    placed: u32,
    lost: u32,
    completed: Wide,
    next: Time,
    balked: u32,
    stuck: u32,
    balked_at: Time,
    now: Time,
    counted: u32,     // 1 from the end of the warm-up on
    alone: bool,      // whether nothing else is pending at this time
}

const HEADER_ROWS: u32 = 4u;

var<storage, read_write> replication_state: array<vec4<u32>>;
var<private> copy_number: u32;
var<private> mine: Replication;
var<private> happened: u32;  // events of this dispatch

// The first row of a record of `rows` rows; the first record is at the beginning of its kind.
fn record_at(begin: u32, number: u32, rows: u32) -> u32 {
    return begin + (number * plan.replications + copy_number) * rows;
}

fn source_at(source: u32) -> u32 { return record_at(plan.sources_at, source, plan.source_rows); }
fn station_at(id: u32) -> u32 { return record_at(plan.stations_at, id, plan.station_rows); }

fn row_at(row: u32) -> vec4<u32> { return replication_state[row]; }
fn set_row(row: u32, words: vec4<u32>) { replication_state[row] = words; }

// A row with a new word at one of its four places.
fn with_word(row: vec4<u32>, place: u32, word: u32) -> vec4<u32> {
    return select(row, vec4<u32>(word), vec4<u32>(place) == vec4<u32>(0u, 1u, 2u, 3u));
}

// The first and the second word of a row. Rows are written whole: adapters write parts of rows far more slowly.
fn front_at(row: u32) -> vec2<u32> { return replication_state[row].xy; }
fn back_at(row: u32) -> vec2<u32> { return replication_state[row].zw; }
fn set_front(row: u32, a: u32, b: u32) { replication_state[row] = vec4<u32>(a, b, replication_state[row].zw); }
fn set_back(row: u32, a: u32, b: u32) { replication_state[row] = vec4<u32>(replication_state[row].xy, a, b); }

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

fn stream_key() -> Wide {
    let replication = wide(replication_number(), 0u);
    return split_mix_64(wide_xor(plan.key, wide_multiply(replication, wide(0x7f4a7c15u, 0x9e3779b9u))));
}

fn open_replication(replication: u32) {
    copy_number = replication;
    open_network();
    let words = HEADER_ROWS * copy_number;
    let a = row_at(words);
    let b = row_at(words + 1u);
    let c = row_at(words + 2u);
    let d = row_at(words + 3u);
    mine = Replication(a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, wide(c.x, c.y), wide(c.z, c.w), d.x, d.y, wide(d.z, d.w),
        wide(0u, 0u), 0u, true);
    open_series();
}

fn close_replication() {
    let words = HEADER_ROWS * copy_number;
    set_row(words, vec4<u32>(mine.pending, mine.free, mine.used, mine.initial));
    set_row(words + 1u, vec4<u32>(mine.present, mine.before, mine.placed, mine.lost));
    set_row(words + 2u, row_of(mine.completed, mine.next));
    set_row(words + 3u, vec4<u32>(mine.balked, mine.stuck, wide_low(mine.balked_at), wide_high(mine.balked_at)));
    close_series();
}

fn set_now(now: Time) {
    mine.now = now;
    mine.counted = select(1u, 0u, wide_less(now, plan.warmup));
    moves_on();
}

// Tokens of a class come into the network, or leave it.
fn came(change: u32, class_of: u32) {
    notes_in_network(class_of, change);
    mine.present += change;
    if (mine.counted == 0u) { mine.before = mine.present; }
}
