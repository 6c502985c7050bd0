// multiclass/state: the words of a replication, and what a thread has of them at hand.
//
//   0    events pending; the first free place of a token, or NONE
//   1    places that were ever used; the row of the token of time 0 that is next
//   2    tokens in the network; those at the end of the warm-up
//   3    tokens of that row that are there; tokens that found no room before the end of the warm-up
//   4    ends of services
//   5    no event happens before it
//   6    tokens that have balked at one instant; 1 and a station that waits for its own room, or 0
//   7    that instant
//
// Words lie in blocks of four (32 bytes, a sector), block by block of all replications: what a thread has of one thing lies
// together, and what neighbouring threads read at once does as well.
//
// Reads and writes: held, of this thread's replication only.

import package::lib::stream::{split_mix_64};
import package::lib::time::{Time};
import package::lib::wide::{wide_xor};
import package::multiclass::parameters::{parameters};
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
    key: Wide,        // of its streams
}

var<storage, read_write> held: array<Wide>;
var<private> copy_number: u32;
var<private> mine: Replication;
var<private> happened: u32;  // events of this dispatch

fn place_of(word: u32) -> u32 { return ((word >> 2u) * parameters.replications + copy_number) * 4u + (word & 3u); }
fn wide_at(word: u32) -> Wide { return held[place_of(word)]; }
fn set_wide(word: u32, value: Wide) { held[place_of(word)] = value; }

fn pair_at(word: u32) -> vec2<u32> {
    let value = wide_at(word);
    return vec2<u32>(wide_low(value), wide_high(value));
}

fn set_pair(word: u32, a: u32, b: u32) { set_wide(word, wide(a, b)); }

fn stream_key() -> Wide {
    let replication = wide(parameters.first + copy_number, 0u);
    return split_mix_64(wide_xor(parameters.key, wide_multiply(replication, wide(0x7f4a7c15u, 0x9e3779b9u))));
}

fn open_replication(replication: u32) {
    copy_number = replication;
    let a = pair_at(0u);
    let b = pair_at(1u);
    let c = pair_at(2u);
    let d = pair_at(3u);
    let e = pair_at(6u);
    mine = Replication(a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y, wide_at(4u), wide_at(5u), e.x, e.y, wide_at(7u), wide(0u, 0u),
        0u, true, stream_key());
}

fn close_replication() {
    set_pair(0u, mine.pending, mine.free);
    set_pair(1u, mine.used, mine.initial);
    set_pair(2u, mine.present, mine.before);
    set_pair(3u, mine.placed, mine.lost);
    set_wide(4u, mine.completed);
    set_wide(5u, mine.next);
    set_pair(6u, mine.balked, mine.stuck);
    set_wide(7u, mine.balked_at);
}

fn set_now(now: Time) {
    mine.now = now;
    mine.counted = select(1u, 0u, wide_less(now, parameters.warmup));
}

// Tokens come into the network, or go.
fn came(change: u32) {
    mine.present += change;
    if (mine.counted == 0u) { mine.before = mine.present; }
}
