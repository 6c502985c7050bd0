// queueing/gone: tokens that leave a network in rounds that share a bound: a token that is gone within the round gives its
// slot back at the bound.
// Writes: tokens, next_event.

import package::engine::schedule::{next_event, schedule};
import package::lib::control::{control};
import package::lib::time::{never};
import package::queueing::exits::{way_out};
import package::queueing::network::{Site};
import package::queueing::places::{annex, places};
import package::queueing::records::{NONE, Visit, tokens};
import exits::{account_exit};
import word64::{wide_less};

fn returned_place(source: u32) -> u32 { return places.returned + source; }

// Whether a visit is a token's last, and ends within this round; counts the token where it is.
fn is_gone(id: u32, site: Site, visit: Visit) -> bool {
    account_exit(id, site, visit);
    if (way_out(visit) == NONE || !wide_less(visit.arrival, control.bound)) { return false; }
    lose(id);
    return true;
}

// Lets go of a token that is gone: at the bound of this round its slot goes back.
fn lose(id: u32) {
    tokens[2u * id + 1u].x = NONE;
    if (annex[places.births + 2u * id + 1u].x != 0u) { schedule(id, control.bound); } else { next_event[id] = never(); }
}
