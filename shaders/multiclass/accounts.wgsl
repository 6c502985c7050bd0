// multiclass/accounts: what a class has done at a station. A token is entered when it goes, or when its service is interrupted;
// of those that are still there the host knows what they have done.
//
//   0    arrivals, starts             4    time integral of the number present
//   1    completions, losses          5    busy time
//   2    waiting times                6    balked, reneged
//   3    service times                7    what those have waited
//   8    services that were interrupted; the turn of its routes
//   9    how long servers were held; 10: the upper 64 bits of what it was served where all share the servers
//
// Reads and writes: held.

import package::lib::faults::{raise};
import package::lib::time::{Time};
import package::lib::wide::{wide_maximum};
import package::multiclass::parameters::{parameters};
import package::multiclass::state::{mine, pair_at, set_pair, set_wide, wide_at};
import package::multiclass::station::{FAULT_COUNT, site};
import package::multiclass::tokens::{COUNTED, INTERRUPTED, token_at};
import shares::{enter_work};
import word64::{Wide, wide, wide_add, wide_less, wide_sub};

const ACCOUNT_WORDS: u32 = 12u;
const FAULT_WAITING: u32 = 2u;
const FAULT_SERVICE: u32 = 4u;
const FAULT_PRESENCE: u32 = 8u;
const FAULT_BUSY: u32 = 16u;
const FAULT_PATIENCE: u32 = 32u;

fn account_of(class_of: u32) -> u32 {
    return parameters.accounts_at + (site.id * parameters.classes + class_of) * ACCOUNT_WORDS;
}

// Adds to two counts of 32 bits.
fn count_two(word: u32, a: u32, b: u32) {
    if ((a | b) == 0u) { return; }
    let before = pair_at(word);
    if (before.x + a < before.x || before.y + b < before.y) { raise(FAULT_COUNT, site.id); }
    set_pair(word, before.x + a, before.y + b);
}

fn add_to(word: u32, value: Wide, fault: u32) {
    let before = wide_at(word);
    let sum = wide_add(before, value);
    if (wide_less(sum, before)) { raise(fault, site.id); }
    set_wide(word, sum);
}

// How much of the time since then is counted.
fn counted_since(begin: Time) -> Wide {
    if (mine.counted == 0u) { return wide(0u, 0u); }
    return wide_sub(mine.now, wide_maximum(begin, parameters.warmup));
}

// A service ends or is interrupted that began, or went on, behind a wait.
fn enter_service(account: u32, token: u32, flags: u32, since: Time, ends: bool) {
    let words = token_at(token);
    let start = wide_at(words + 4u);
    let begins = !wide_less(start, parameters.warmup);
    let starts = select(0u, 1u, begins && (flags & INTERRUPTED) == 0u);
    count_two(account, select(0u, 1u, ends && (flags & COUNTED) != 0u), starts);
    if (begins) { add_to(account + 2u, wide_sub(start, since), FAULT_WAITING); }
    if (starts != 0u) { add_to(account + 3u, wide_at(words + 5u), FAULT_SERVICE); }
    enter_work(account, token);
}

// A token goes that came then.
fn enter_presence(account: u32, arrived: Time) {
    add_to(account + 4u, counted_since(arrived), FAULT_PRESENCE);
}
