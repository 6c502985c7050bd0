// multiclass/statistics/annex: rare figures of a class at a station, in rows that lie as far behind the rows of all accounts as `annex`
// says:
//
//   0, 2 how often a sum has passed 64 bits: `Carries`; patience, blocked, stopped, joining
//   4    how long servers were held before the end of a service (stops); 5: how long tokens waited for siblings
//   6    tokens that have waited so, and those of them that are no more (joins); services that were abandoned (deadlines)
//
// Reads and writes: replication_state.

import constants::{HAS_CARRIES};
import package::multiclass::parameters::{plan};
import package::multiclass::rows::{row_at, set_row};
import word64::{Wide, wide_less};

// Of the sums of its first row.
struct Carries {
    waiting: u32,
    service: u32,
    presence: u32,
    busy: u32,
}

fn words_of(row: Carries) -> vec4<u32> { return vec4<u32>(row.waiting, row.service, row.presence, row.busy); }

// Of the sums of its second row.
const PATIENCE_SUM: vec4<u32> = vec4<u32>(1u, 0u, 0u, 0u);
const BLOCKED_SUM: vec4<u32> = vec4<u32>(0u, 1u, 0u, 0u);
const STOPPED_SUM: vec4<u32> = vec4<u32>(0u, 0u, 1u, 0u);
const JOINING_SUM: vec4<u32> = vec4<u32>(0u, 0u, 0u, 1u);

fn annex_of(account: u32) -> u32 { return account + plan.annex; }

// 1 where an addition has made a sum pass 64 bits: the sum is smaller than before, or than the term.
fn carry(sum: Wide, before: Wide) -> u32 { return select(0u, 1u, wide_less(sum, before)); }

// Adds the carries of the sums of a row: mostly none.
fn enter_carries(account: u32, row: u32, carries: vec4<u32>) {
    if (!HAS_CARRIES || all(carries == vec4<u32>(0u))) { return; }
    let words = annex_of(account) + row;
    set_row(words, row_at(words) + carries);
}
