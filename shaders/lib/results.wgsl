// lib/results: the sums of each thread of a dispatch. The host adds up the threads.
//
//   results: the first word of each thread, then the second word of each thread, and so on

import package::lib::sums::{Lanes};
import constants::{RESULT_THREADS};
import word64::{Wide, wide, wide_add, wide_high, wide_low};

// A sum of words that may pass 64 bits: the sums of their lower and of their upper halves.
struct LongSum {
    low: Wide,
    high: Wide,
}

var<storage, read_write> results: array<Wide>;

fn no_sum() -> LongSum { return LongSum(wide(0u, 0u), wide(0u, 0u)); }

fn long_add(sum: LongSum, word: Wide) -> LongSum {
    return LongSum(wide_add(sum.low, wide(wide_low(word), 0u)), wide_add(sum.high, wide(wide_high(word), 0u)));
}

fn give(thread: u32, word: u32, value: Wide) { results[word * RESULT_THREADS + thread] = value; }

fn give_long(thread: u32, word: u32, sum: LongSum) {
    give(thread, word, sum.low);
    give(thread, word + 1u, sum.high);
}

fn give_lanes(thread: u32, word: u32, lanes: Lanes) {
    give(thread, word, lanes.a);
    give(thread, word + 1u, lanes.b);
    give(thread, word + 2u, lanes.c);
    give(thread, word + 3u, lanes.d);
}
