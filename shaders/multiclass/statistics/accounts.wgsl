// multiclass/statistics/accounts: the figures of a class at a station. A token is entered when it goes, or when its service is
// interrupted; the host enters tokens that are still there. The account is in account_rows; rare figures are in its annex.
//
// Reads and writes: replication_state.

import package::lib::faults::{raise};
import package::lib::time::{Time};
import package::lib::wide::{wide_maximum};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::rows::{account_at, set_back_wide, set_front_wide};
import package::multiclass::state::{mine};
import package::multiclass::stations::station::{FAULT_COUNT, site};
import package::multiclass::statistics::account_rows::{
    AccountCounts, AccountIntegrals, AccountTimes, account_counts, account_integrals, account_leavers, account_times,
    account_turns, set_account_counts, set_account_integrals, set_account_times,
};
import package::multiclass::statistics::annex::{BLOCKED_SUM, Carries, PATIENCE_SUM, carry, enter_carries, words_of};
import package::multiclass::tokens::{is_interrupted};
import shares::{has_clock, is_shared, knows_service, longer_by, time_taken, work_of};
import word64::{Wide, wide, wide_add, wide_less, wide_sub};

fn account_of(class_of: u32) -> u32 { return account_at(site.id, class_of); }

// The waiting time of a token that lost its patience; below, how long a token held its server.
fn add_patience(account: u32, waited: Time) {
    let after = wide_add(account_leavers(account).patience, waited);
    set_back_wide(account + 3u, after);
    enter_carries(account, 1u, PATIENCE_SUM * carry(after, waited));
}

fn add_blocked(account: u32, held_for: Time) {
    let after = wide_add(account_turns(account).blocked, held_for);
    set_back_wide(account + 4u, after);
    enter_carries(account, 1u, BLOCKED_SUM * carry(after, held_for));
}

// How much of the time since `begin` is counted.
fn counted_since(begin: Time) -> Wide {
    if (mine.counted == 0u) { return wide(0u, 0u); }
    return wide_sub(mine.now, wide_maximum(begin, plan.warmup));
}

// A service that ends or is interrupted.
struct Served {
    flags: u32,
    arrived: Time,    // or when its last service ended, where it is served again
    since: Time,      // when it began to wait for the service, or for the rest of it
    start: Time,      // when the service began, or went on
    service: Time,    // the whole of it
}

// A service ends or is interrupted: `ended` services have ended with it, and `gone` tokens go whose arrival is counted, which have
// been there for `presence`. All words are fetched before any is written, as no load moves up past a store.
fn enter_service(account: u32, token: u32, stay: Served, presence: Wide, ended: u32, gone: u32) {
    let before = account_counts(account);
    let times = account_times(account);
    let integrals = account_integrals(account);
    let begins = !wide_less(stay.start, plan.warmup);
    let starts = select(0u, 1u, begins && !is_interrupted(stay.flags));
    let completions = before.completions + ended * mine.counted;
    let counts = AccountCounts(before.arrivals + gone, before.starts + starts, completions, before.losses);
    if (max(max(counts.arrivals, counts.starts), counts.completions) == NONE) { raise(FAULT_COUNT, site.id); }
    set_account_counts(account, counts);
    var carries = Carries(0u, 0u, 0u, 0u);
    if (begins || has_clock()) {
        var waited = longer_by(stay);
        // Where all share, the service includes the time until it begins.
        if (begins && !is_shared()) { waited = wide_add(waited, wide_sub(stay.start, stay.since)); }
        let waiting = wide_add(times.waiting, waited);
        carries.waiting = carry(waiting, waited);
        var own = wide(0u, 0u);
        if (!knows_service()) {
            if ((ended & mine.counted) != 0u) { own = time_taken(token, stay); }
        } else if (starts != 0u) {
            own = stay.service;
        }
        let service = wide_add(times.service, own);
        carries.service = carry(service, own);
        set_account_times(account, AccountTimes(waiting, service));
    }
    let work = work_of(account, token, stay);
    let present = wide_add(integrals.presence, presence);
    carries.presence = carry(present, presence);
    // Those that share servers have room for more.
    let busy = wide_add(integrals.busy, work);
    if (!is_shared()) { carries.busy = carry(busy, work); }
    set_account_integrals(account, AccountIntegrals(present, busy));
    enter_carries(account, 0u, words_of(carries));
}

// A token goes that came at `arrived`.
fn enter_presence(account: u32, arrived: Time) {
    let before = account_integrals(account).presence;
    let present = wide_add(before, counted_since(arrived));
    set_front_wide(account + 2u, present);
    enter_carries(account, 0u, words_of(Carries(0u, 0u, carry(present, before), 0u)));
}
