// multiclass/annex: what is rare of a class at a station, in two rows beside its account, or in four where services stop or siblings wait
// for each other:
//
//   0 to 3  how often a sum has passed 64 bits, at the number of the sum
//   4    how long servers were held before the end of a service (stops)
//   5    how long tokens waited for siblings; 6: tokens that have, those of them that are no more (joins)
//
// Reads and writes: held.

import package::multiclass::parameters::{plan};
import package::multiclass::state::{row_at, set_row};
import word64::{Wide, wide_add, wide_less};

const WAITING_SUM: u32 = 0u;
const SERVICE_SUM: u32 = 1u;
const PRESENCE_SUM: u32 = 2u;
const BUSY_SUM: u32 = 3u;
const PATIENCE_SUM: u32 = 4u;
const BLOCKED_SUM: u32 = 5u;
const STOPPED_SUM: u32 = 6u;
const JOINING_SUM: u32 = 7u;

fn annex_of(account: u32) -> u32 {
    return plan.annex_at + (account - plan.accounts_at) / plan.account_rows * plan.annex_rows;
}

// A sum of an account has passed 64 bits once more.
fn carries(account: u32, sum: u32) {
    let row = annex_of(account) + (sum >> 2u);
    set_row(row, row_at(row) + select(vec4<u32>(0u), vec4<u32>(1u), vec4<u32>(sum & 3u) == vec4<u32>(0u, 1u, 2u, 3u)));
}

fn sum_of(account: u32, sum: u32, before: Wide, value: Wide) -> Wide {
    let after = wide_add(before, value);
    if (wide_less(after, before)) { carries(account, sum); }
    return after;
}
