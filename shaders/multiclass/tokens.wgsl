// multiclass/tokens: the tokens of a replication, in places that are used again.
//
// A token has the rows below, the last one only where services are interrupted, and where networks are lean the first two alone. In the
// place of the last one and behind it lie the words of sharing/alike and sharing/paced, then those of ways_chosen, units, forks, repeats
// and line_tree.
//
// Reads and writes: replication_state.

import constants::{HAS_INTERRUPTIONS, IS_LEAN};
import forks::{has_no_siblings, leaves_siblings};
import package::lib::time::{Time};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::state::{mine, record_at, row_at, row_of, set_back, set_front, set_row};
import units::{gives_all_units};
import ways::{forget_visits};
import word64::{wide};

const INTERRUPTED: u32 = 0x80000000u;  // a service was interrupted
const COUNTED: u32 = 0x40000000u;      // its arrival is counted
const DRAWN: u32 = 0x20000000u;        // its service is drawn
const EXPECTED: u32 = 0x10000000u;     // room is reserved for it where it goes
const OUTSIDE: u32 = 0x08000000u;      // it has not joined the line
const REPEATED: u32 = 0x04000000u;     // it is served again
const CLASS: u32 = 0x03ffffffu;

fn is_interrupted(about: u32) -> bool { return HAS_INTERRUPTIONS && (about & INTERRUPTED) != 0u; }

// Whether the service of a token is drawn that has not begun.
fn is_drawn(about: u32) -> bool { return !IS_LEAN && (about & DRAWN) != 0u; }

fn token_at(token: u32) -> u32 { return record_at(plan.tokens_at, token, plan.token_rows); }

// The tokens before and behind it in a list (the first has no token before it, whatever the word says), or behind a free place the
// next one; its class and flags; the edge that it takes after its service.
struct Links {
    before: u32,
    behind: u32,
    about: u32,
    edge: u32,
}

fn links_of(token: u32) -> Links {
    let row = row_at(token_at(token));
    return Links(row.x, row.y, row.z, row.w);
}

fn set_links(token: u32, row: Links) { set_row(token_at(token), vec4<u32>(row.before, row.behind, row.about, row.edge)); }
fn set_neighbours(token: u32, before: u32, behind: u32) { set_front(token_at(token), before, behind); }
fn set_about(token: u32, about: u32, edge: u32) { set_back(token_at(token), about, edge); }

// When the token came to its station, and from a source; never where it was there at time 0.
struct Times {
    arrived: Time,
    entered: Time,
}

fn times_of(token: u32) -> Times {
    let row = row_at(token_at(token) + 1u);
    return Times(wide(row.x, row.y), wide(row.z, row.w));
}

fn set_times(token: u32, row: Times) { set_row(token_at(token) + 1u, row_of(row.arrived, row.entered)); }

// When the service in progress began, or went on; the length of the service.
struct Service {
    start: Time,
    service: Time,
}

fn service_of(token: u32) -> Service {
    let row = row_at(token_at(token) + 2u);
    return Service(wide(row.x, row.y), wide(row.z, row.w));
}

fn set_service(token: u32, row: Service) { set_row(token_at(token) + 2u, row_of(row.start, row.service)); }

// The number of its arrival at its station; the number and the place of its event; where it goes.
struct Numbers {
    arrival: u32,
    event: u32,
    place: u32,
    goal: u32,
}

fn numbers_of(token: u32) -> Numbers {
    let row = row_at(token_at(token) + 3u);
    return Numbers(row.x, row.y, row.z, row.w);
}

fn set_numbers(token: u32, row: Numbers) { set_row(token_at(token) + 3u, vec4<u32>(row.arrival, row.event, row.place, row.goal)); }

// The rest of its service, and since when it waits for that rest.
struct Interruption {
    left: Time,
    since: Time,
}

fn interruption_of(token: u32) -> Interruption {
    let row = row_at(token_at(token) + 4u);
    return Interruption(wide(row.x, row.y), wide(row.z, row.w));
}

fn set_interruption(token: u32, row: Interruption) { set_row(token_at(token) + 4u, row_of(row.left, row.since)); }

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
    set_links(token, Links(NONE, mine.free, 0u, 0u));
    mine.free = token;
}
