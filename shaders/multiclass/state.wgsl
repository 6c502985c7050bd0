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
// Reads and writes: replication_state, of this thread's replication only.

import steps::{earns};
import networks::{open_network, replication_number};
import package::lib::stream::{split_mix_64};
import package::lib::time::{Time};
import package::lib::wide::{wide_xor};
import package::multiclass::parameters::{plan};
import package::multiclass::rows::{copy_number, far_row_at, row_of, set_far_row};
import fold::{close_fold, moves_to_bin, open_fold};
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

var<private> mine: Replication;
var<private> happened: u32;  // events of this dispatch

fn stream_key() -> Wide {
    let replication = wide(replication_number(), 0u);
    return split_mix_64(wide_xor(plan.key, wide_multiply(replication, wide(0x7f4a7c15u, 0x9e3779b9u))));
}

fn open_replication(replication: u32) {
    copy_number = replication;
    open_network();
    let words = HEADER_ROWS * copy_number;
    let a = far_row_at(words);
    let b = far_row_at(words + 1u);
    let c = far_row_at(words + 2u);
    let d = far_row_at(words + 3u);
    mine = Replication(a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, wide(c.x, c.y), wide(c.z, c.w), d.x, d.y, wide(d.z, d.w),
        wide(0u, 0u), 0u, true);
    open_series();
    open_fold();
}

fn close_replication() {
    let words = HEADER_ROWS * copy_number;
    set_far_row(words, vec4<u32>(mine.pending, mine.free, mine.used, mine.initial));
    set_far_row(words + 1u, vec4<u32>(mine.present, mine.before, mine.placed, mine.lost));
    set_far_row(words + 2u, row_of(mine.completed, mine.next));
    set_far_row(words + 3u, vec4<u32>(mine.balked, mine.stuck, wide_low(mine.balked_at), wide_high(mine.balked_at)));
    close_series();
    close_fold();
}

fn set_now(now: Time) {
    earns(now);
    mine.now = now;
    mine.counted = select(1u, 0u, wide_less(now, plan.warmup));
    moves_on();
    moves_to_bin();
}

// Tokens of a class come into the network, or leave it.
fn came(change: u32, class_of: u32) {
    notes_in_network(class_of, change);
    mine.present += change;
    if (mine.counted == 0u) { mine.before = mine.present; }
}
