// multiclass/places: tokens come into the network and leave it; their places are used again.
// Reads and writes: replication_state.

import constants::{IS_PACKED};
import forks::{has_no_siblings, leaves_siblings};
import package::multiclass::packed::{set_packed};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::state::{mine};
import package::multiclass::tokens::{Links, Times, links_of, set_links};
import units::{gives_all_units};
import ways::{forget_visits};

// Each list of packed tokens ends in a place without a token. At the beginning these are the first places.
fn list_end_count() -> u32 { return select(0u, plan.list_count * plan.stations, IS_PACKED); }

fn has_place() -> bool { return mine.free != NONE || mine.used < plan.places; }

// The place of a token that comes into the network.
fn new_token() -> u32 {
    var token = mine.free;
    if (token == NONE) {
        token = mine.used;
        mine.used += 1u;
    } else {
        mine.free = links_of(token).behind;
    }
    forget_visits(token);
    has_no_siblings(token);
    return token;
}

fn free_token(token: u32) {
    gives_all_units(token);
    leaves_siblings(token);
    put_back(token);
}

fn put_back(token: u32) {
    let links = Links(NONE, mine.free, 0u, 0u);
    // Nobody asks for the times of a free place.
    if (IS_PACKED) { set_packed(token, links, Times(mine.now, mine.now)); } else { set_links(token, links); }
    mine.free = token;
}
