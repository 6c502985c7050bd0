// multiclass/statistics/accounts: what a class has done at a station. A token is entered when it goes, or when its service is interrupted;
// of those that are still there the host knows what they have done.
//
//   0    arrivals, starts             4    time integral of the number present
//   1    completions, losses          5    busy time
//   2    waiting times                6    balked, reneged
//   3    service times                7    what those have waited
//   8    services that were interrupted; the turn of its routes
//   9    how long servers were held; 10: the upper 64 bits of what it was served where all share the servers
//
// The words from 6 on are there as far as a network uses them. What is rare stands in its annex.
//
// Reads and writes: held.

import package::lib::faults::{raise};
import package::lib::time::{Time};
import package::lib::wide::{wide_maximum};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::state::{back_wide, front_wide, mine, record_at, row_at, row_of, set_back_wide, set_front_wide, set_row};
import package::multiclass::stations::station::{FAULT_COUNT, site};
import package::multiclass::statistics::annex::{carry, enter_carries};
import package::multiclass::tokens::{INTERRUPTED};
import shares::{has_clock, is_shared, knows_service, longer_by, time_taken, work_of};
import word64::{Wide, wide, wide_add, wide_less, wide_sub};

fn account_of(class_of: u32) -> u32 {
    return record_at(plan.accounts_at, site.id * plan.classes + class_of, plan.account_rows);
}

// Adds to the two counts of a word, of 32 bits each.
fn count_two(row: u32, half: u32, a: u32, b: u32) {
    if ((a | b) == 0u) { return; }
    let more = select(vec4<u32>(a, b, 0u, 0u), vec4<u32>(0u, 0u, a, b), half != 0u);
    let counts = row_at(row) + more;
    if (any(counts < more)) { raise(FAULT_COUNT, site.id); }
    set_row(row, counts);
}

// Adds to a sum of the second row of the annex, which is the second word of a row of an account.
fn add_back(account: u32, row: u32, sum: vec4<u32>, value: Wide) {
    let before = back_wide(account + row);
    let after = wide_add(before, value);
    set_back_wide(account + row, after);
    enter_carries(account, 1u, sum * carry(after, before));
}

// How much of the time since then is counted.
fn counted_since(begin: Time) -> Wide {
    if (mine.counted == 0u) { return wide(0u, 0u); }
    return wide_sub(mine.now, wide_maximum(begin, plan.warmup));
}

// A service that ends or is interrupted.
struct Served {
    flags: u32,
    arrived: Time,    // or when its last service ended, where it is served again
    since: Time,      // when it began to wait for it, or for what was left of it
    start: Time,      // when it began, or went on
    service: Time,    // the whole of it
}

// A service ends or is interrupted: so many services have ended with it, and so many tokens go whose arrival is counted, and which
// have been there so long. All is fetched before anything is written, as nothing is fetched early past a store.
fn enter_service(account: u32, token: u32, stay: Served, presence: Wide, ended: u32, gone: u32) {
    let counts_before = row_at(account);
    let sums = row_at(account + 1u);
    let times = row_at(account + 2u);
    let begins = !wide_less(stay.start, plan.warmup);
    let starts = select(0u, 1u, begins && (stay.flags & INTERRUPTED) == 0u);
    let counts = counts_before + vec4<u32>(gone, starts, ended * mine.counted, 0u);
    if (max(max(counts.x, counts.y), counts.z) == NONE) { raise(FAULT_COUNT, site.id); }
    set_row(account, counts);
    var carries = vec4<u32>(0u);
    if (begins || has_clock()) {
        var waited = longer_by(stay);
        // Where all share, the time until a service begins is in that.
        if (begins && !is_shared()) { waited = wide_add(waited, wide_sub(stay.start, stay.since)); }
        let waiting = wide_add(wide(sums.x, sums.y), waited);
        carries.x = carry(waiting, waited);
        var own = wide(0u, 0u);
        if (!knows_service()) {
            if ((ended & mine.counted) != 0u) { own = time_taken(token, stay); }
        } else if (starts != 0u) {
            own = stay.service;
        }
        let service = wide_add(wide(sums.z, sums.w), own);
        carries.y = carry(service, own);
        set_row(account + 1u, row_of(waiting, service));
    }
    let work = work_of(account, token, stay);
    let present = wide_add(wide(times.x, times.y), presence);
    carries.z = carry(present, presence);
    // Those that share servers have room for more.
    let busy = wide_add(wide(times.z, times.w), work);
    if (!is_shared()) { carries.w = carry(busy, work); }
    set_row(account + 2u, row_of(present, busy));
    enter_carries(account, 0u, carries);
}

// A token goes that came then.
fn enter_presence(account: u32, arrived: Time) {
    let before = front_wide(account + 2u);
    let present = wide_add(before, counted_since(arrived));
    set_front_wide(account + 2u, present);
    enter_carries(account, 0u, vec4<u32>(0u, 0u, carry(present, before), 0u));
}
