// multiclass/statistics/account_rows: the figures of a class at a station, row by row. The rows from the fourth on are there as far as
// a network uses them.
//
// Reads and writes: replication_state.

import package::lib::faults::{raise};
import package::multiclass::rows::{row_at, row_of, set_front, set_front_wide, set_row};
import package::multiclass::stations::station::{FAULT_COUNT, site};
import word64::{Wide, wide, wide_add, wide_less};

struct AccountCounts {
    arrivals: u32,
    starts: u32,
    completions: u32,
    losses: u32,
}

fn account_counts(account: u32) -> AccountCounts {
    let row = row_at(account);
    return AccountCounts(row.x, row.y, row.z, row.w);
}

fn set_account_counts(account: u32, row: AccountCounts) {
    set_row(account, vec4<u32>(row.arrivals, row.starts, row.completions, row.losses));
}

// Waiting and service times.
struct AccountTimes {
    waiting: Wide,
    service: Wide,
}

fn account_times(account: u32) -> AccountTimes {
    let row = row_at(account + 1u);
    return AccountTimes(wide(row.x, row.y), wide(row.z, row.w));
}

fn set_account_times(account: u32, row: AccountTimes) { set_row(account + 1u, row_of(row.waiting, row.service)); }

// The time integral of the number present, and the busy time.
struct AccountIntegrals {
    presence: Wide,
    busy: Wide,
}

fn account_integrals(account: u32) -> AccountIntegrals {
    let row = row_at(account + 2u);
    return AccountIntegrals(wide(row.x, row.y), wide(row.z, row.w));
}

fn set_account_integrals(account: u32, row: AccountIntegrals) { set_row(account + 2u, row_of(row.presence, row.busy)); }

// Tokens that balked or reneged, and the waiting time of the latter.
struct AccountLeavers {
    balked: u32,
    reneged: u32,
    patience: Wide,
}

fn account_leavers(account: u32) -> AccountLeavers {
    let row = row_at(account + 3u);
    return AccountLeavers(row.x, row.y, wide(row.z, row.w));
}

// Services that were interrupted, the turn of the routes, and how long servers were blocked.
struct AccountTurns {
    preemptions: u32,
    turn: u32,
    blocked: Wide,
}

fn account_turns(account: u32) -> AccountTurns {
    let row = row_at(account + 4u);
    return AccountTurns(row.x, row.y, wide(row.z, row.w));
}

fn set_turn(account: u32, turn: u32) { set_front(account + 4u, account_turns(account).preemptions, turn); }

// Where all share the servers: the upper 64 bits of the service that the class has had; the lower bits are the busy
// time.
struct AccountShared { served: Wide }

// Adds to the upper bits, and a carry where the lower bits with `lower` pass 64 bits.
fn add_shared(account: u32, upper: Wide, lower: Wide) {
    let more = select(0u, 1u, wide_less(wide_add(account_integrals(account).busy, lower), lower));
    let row = row_at(account + 5u);
    let served = AccountShared(wide(row.x, row.y)).served;
    set_front_wide(account + 5u, wide_add(served, wide_add(upper, wide(more, 0u))));
}

// Adds to the two counts of a word, of 32 bits each.
fn count_two(row: u32, half: u32, a: u32, b: u32) {
    if ((a | b) == 0u) { return; }
    let more = select(vec4<u32>(a, b, 0u, 0u), vec4<u32>(0u, 0u, a, b), half != 0u);
    let counts = row_at(row) + more;
    if (any(counts < more)) { raise(FAULT_COUNT, site.id); }
    set_row(row, counts);
}

fn count_arrivals(account: u32, more: u32) { count_two(account, 0u, more, 0u); }
fn count_losses(account: u32, more: u32) { count_two(account, 1u, 0u, more); }
fn count_balked(account: u32, more: u32) { count_two(account + 3u, 0u, more, 0u); }
fn count_reneged(account: u32, more: u32) { count_two(account + 3u, 0u, 0u, more); }
fn count_preempted(account: u32, more: u32) { count_two(account + 4u, 0u, more, 0u); }
