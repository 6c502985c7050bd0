// multiclass/servers/absence_rows: how often and how long servers of a station were away.
// Reads and writes: replication_state.

import package::lib::faults::{raise};
import package::lib::wide::{wide_maximum};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::rows::{row_at, set_row};
import package::multiclass::state::{mine};
import package::multiclass::stations::station::{FAULT_COUNT, site};
import package::multiclass::statistics::annex::{carry};
import word64::{Wide, wide, wide_add, wide_high, wide_less, wide_low, wide_sub};

// How many absences there have been. And a sum of 96 bits, modulo 2^96: plus the time at each return, minus the time at each leave, where the warm-up
// counts as its end. The present time for each server that is away, added to the sum, gives how long servers were away.
struct AbsenceTimes {
    count: u32,
    upper: u32,
    sum: Wide,
}

fn absences_at(words: u32) -> AbsenceTimes {
    let row = row_at(words);
    return AbsenceTimes(row.x, row.y, wide(row.z, row.w));
}

fn set_absences(words: u32, row: AbsenceTimes) {
    set_row(words, vec4<u32>(row.count, row.upper, wide_low(row.sum), wide_high(row.sum)));
}

fn counted_time() -> Wide { return wide_maximum(mine.now, plan.warmup); }

// The number of an idle time that begins: with those of absences.
fn next_number(words: u32) -> u32 {
    let before = absences_at(words);
    if (before.count + 1u == NONE) { raise(FAULT_COUNT, site.id); }
    set_absences(words, AbsenceTimes(before.count + 1u, before.upper, before.sum));
    return before.count;
}

// A server goes away. `more` is 1 where its absence gets a number, else 0.
fn notes_leave(words: u32, more: u32) {
    let before = absences_at(words);
    if (before.count + more == NONE) { raise(FAULT_COUNT, site.id); }
    let borrow = select(0u, 1u, wide_less(before.sum, counted_time()));
    set_absences(words, AbsenceTimes(before.count + more, before.upper - borrow, wide_sub(before.sum, counted_time())));
}

// A server comes back.
fn notes_return(words: u32) {
    let before = absences_at(words);
    let sum = wide_add(before.sum, counted_time());
    set_absences(words, AbsenceTimes(before.count, before.upper + carry(sum, before.sum), sum));
}
