// queueing/closed: a network without sources and ways out: tokens only move.

import package::queueing::arrival::{take_in};
import package::queueing::order::{Next, next_in};
import package::queueing::records::{Station, Visit};
import package::queueing::torus::{Site};

fn admit_all(site: Site, station: ptr<function, Station>, first: Next) {
    var next = first;
    loop {
        // Loaded while this visit is decided.
        let ahead = next_in(max(next.rest, 1u));
        take_in(site, station, next.entity, next.time);
        if (next.rest == 0u) { break; }
        next = ahead;
    }
}

fn is_gone(id: u32, site: Site, visit: Visit) -> bool { return false; }
fn lose(id: u32) {}
