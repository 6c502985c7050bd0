// multiclass/blocking/suspects: stations that may wait for ever since this event. One where a token has been held, or has come behind such, is looked
// at before units are granted: nothing of the event changes that. The others are looked at behind all of it, in their order: where a service
// has stopped, a token has made room that may be of no use, or servers have changed. They have 1 in word 3 of `holding`.
//
// Reads: parameters. Reads and writes: held.

import package::multiclass::blocking::holding::{held_at};
import package::multiclass::parameters::{plan};
import package::multiclass::pending::{FIRST_TOKENS, PHASE, due};
import package::multiclass::state::{back_at, mine, set_back};
import package::multiclass::stations::station::{open_station, site};

// One more than the station that is looked at next, or 0.
var<private> suspect: u32;
// Whether there are such that are looked at behind the event, and the first station that is not looked at yet.
var<private> has_others: bool;
var<private> looked_at: u32;

fn suspects() { suspect = 1u + site.id; }

fn suspects_later() {
    set_back(held_at(site.id) + 1u, 1u, 0u);
    has_others = true;
    looked_at = min(looked_at, site.id);
}

// Opens the suspected station, where there is one.
fn may_wait_for_ever() -> bool {
    if (suspect == 0u) { return false; }
    if (site.id + 1u != suspect) { open_station(suspect - 1u); }
    return true;
}

fn has_suspect() -> bool {
    let suspected = may_wait_for_ever();
    suspect = 0u;
    return suspected;
}

// Suspects the next one of the others, and opens it. Returns whether there is one.
fn next_suspect() -> bool {
    // Tokens of time 0 come one after the other, in an event each, and then all of theirs are looked at.
    let is_placing = mine.initial < plan.initial_rows;
    has_others = has_others || (due.x & PHASE) == FIRST_TOKENS;
    while (has_others && !is_placing && looked_at < plan.stations) {
        let id = looked_at;
        looked_at += 1u;
        if (back_at(held_at(id) + 1u).x != 0u) {
            set_back(held_at(id) + 1u, 0u, 0u);
            open_station(id);
            suspects();
            return true;
        }
    }
    has_others = false;
    looked_at = 0u;
    return false;
}
