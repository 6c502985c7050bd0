// multiclass/blocking/suspects: stations that may have come into a deadlock with this event. A station where a token has been blocked, or
// has come behind blocked tokens, is looked at before units are granted: nothing else of the event changes it. Other stations are looked at
// behind the whole event, in their order: where a service has stopped, where a token has made room that may be of no use, or where servers
// have changed. Each of these is marked in its links (holding).
//
// Reads: parameters. Reads and writes: replication_state.

import package::multiclass::blocking::holding::{held_links, set_suspected};
import package::multiclass::parameters::{plan};
import package::multiclass::pending::{FIRST_TOKENS, PHASE, due};
import package::multiclass::state::{mine};
import package::multiclass::stations::station::{open_station, site};

// One more than the station that is looked at next, or 0.
var<private> suspect: u32;
// Whether stations are to be looked at behind the event, and the first station not looked at yet.
var<private> has_others: bool;
var<private> looked_at: u32;

fn suspects() { suspect = 1u + site.id; }

fn suspects_later() {
    set_suspected(site.id, 1u);
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

// Suspects the next of the other stations, and opens it. Returns whether there is one.
fn next_suspect() -> bool {
    // Tokens of time 0 come one after the other, in an event each, and then all their stations are looked at.
    let is_placing = mine.initial < plan.initial_rows;
    has_others = has_others || (due.what & PHASE) == FIRST_TOKENS;
    while (has_others && !is_placing && looked_at < plan.stations) {
        let id = looked_at;
        looked_at += 1u;
        if (held_links(id).is_suspect != 0u) {
            set_suspected(id, 0u);
            open_station(id);
            suspects();
            return true;
        }
    }
    has_others = false;
    looked_at = 0u;
    return false;
}
