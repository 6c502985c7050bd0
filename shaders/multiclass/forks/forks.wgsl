// multiclass/forks/forks: a token splits into copies, and siblings wait for each other: the twin of src/queueing/reference/oracle/forks.rs.
// Reads: parameters, model_table. Reads and writes: replication_state.

import joining::{awaits_others, goes_on_as, goes_on_joined, waits_to_be_one};
import package::lib::faults::{raise};
import package::lib::time::{Time};
import package::multiclass::forks::copies::{begins_copies, sends_copies};
import package::multiclass::forks::rows::{
    ForkCounts, Forked, Gathering, SiblingNumbers, Siblings, fork_counts, forked_row, set_fork_counts, set_forked, set_gathering,
    set_sibling_numbers, set_siblings, sibling_numbers, siblings_at,
};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::rows::{front_at};
import package::multiclass::state::{mine};
import package::multiclass::stations::station::{FAULT_COUNT, site};

// One more than the number of siblings that are to be joined, as a sibling has left the network; or 0.
var<private> alone: u32;
var<private> is_anew: bool;

fn begin_forks() { set_sibling_numbers(SiblingNumbers(NONE, 0u, 0u)); }

fn has_forks() -> bool { return true; }
// One more event may have a token split, and where stations block, all blocked tokens besides.
fn has_room_to_fork() -> bool {
    let times = select(1u, 1u + mine.present, plan.blocking != 0u);
    let left = min(plan.places - mine.present, plan.places - sibling_numbers().in_use);
    return left / times >= plan.most_copies;
}

fn has_no_siblings(token: u32) { set_forked(token, Forked(NONE, NONE, 0u)); }
fn siblings_of(token: u32) -> u32 { return front_at(forked_row(token)).x; }

fn new_siblings(outer: u32, left: u32) -> u32 {
    let numbers = sibling_numbers();
    var number = numbers.free;
    if (number == NONE) {
        number = numbers.used;
        set_sibling_numbers(SiblingNumbers(NONE, numbers.used + 1u, numbers.in_use + 1u));
    } else {
        set_sibling_numbers(SiblingNumbers(siblings_at(number).next_free, numbers.used, numbers.in_use + 1u));
    }
    set_siblings(number, Siblings(outer, left, 0u, NONE));
    set_gathering(number, Gathering(NONE, NONE, NONE, 0u));
    return number;
}

fn end_siblings(number: u32) {
    let numbers = sibling_numbers();
    set_siblings(number, Siblings(NONE, 0u, 0u, numbers.free));
    set_sibling_numbers(SiblingNumbers(number, numbers.used, numbers.in_use - 1u));
}

fn count_forks(copies_more: u32, joined_more: u32) {
    let before = fork_counts();
    let counts = ForkCounts(before.copies + copies_more, before.joined + joined_more);
    let has_passed = counts.copies < before.copies || counts.joined < before.joined;
    if (has_passed || max(counts.copies, counts.joined) == NONE) { raise(FAULT_COUNT, site.id); }
    set_fork_counts(counts);
}

fn splits(token: u32, class_of: u32, edge: u32, entered: Time) { begins_copies(token, class_of, edge, entered); }
fn send_copies() { sends_copies(); }

// The siblings of a token wait for it no longer. If it was the last, the token that had split is gone, too.
fn leaves_siblings(token: u32) {
    var number = siblings_of(token);
    while (number != NONE) {
        var siblings = siblings_at(number);
        if (siblings.left != 1u) {
            siblings.left -= 1u;
            set_siblings(number, siblings);
            if (siblings.left == siblings.waiting) { alone = 1u + number; }
            return;
        }
        end_siblings(number);
        number = siblings.outer;
    }
}

fn is_joined(token: u32) -> bool { return awaits_others(token); }
fn waits_for_siblings(token: u32, class_of: u32) -> bool { return waits_to_be_one(token, class_of); }
fn joined(token: u32) -> u32 { return goes_on_as(token); }

fn go_on_alone() {
    if (alone == 0u) { return; }
    goes_on_joined(alone - 1u);
    alone = 0u;
    is_anew = mine.stuck == 0u;
}

fn comes_anew() -> bool {
    let anew = is_anew;
    is_anew = false;
    return anew;
}
