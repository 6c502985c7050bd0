// multiclass/servers/absence_rows: how often and how long servers of a station were away.
// Reads and writes: replication_state.

import package::multiclass::rows::{row_at, set_row};
import word64::{Wide, wide, wide_high, wide_low};

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
