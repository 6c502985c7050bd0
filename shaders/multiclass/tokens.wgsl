// multiclass/tokens: what is known of the tokens of a replication.
//
// A token has the rows below, the last one only where services are interrupted, and where networks are lean the first two alone, or one
// row in place of both (packed). In the place of the last one and behind it lie the words of sharing/alike and sharing/paced, then those of
// ways_chosen, units, forks, repeats and line_tree.
//
// Reads and writes: replication_state.

import constants::{HAS_INTERRUPTIONS, IS_LEAN, IS_PACKED};
import package::lib::time::{Time};
import package::multiclass::packed::{packed_links, packed_times, packed_token};
import package::multiclass::parameters::{plan};
import package::multiclass::rows::{far_row_at, record_at, row_of, set_back, set_far_row, set_front};
import word64::{wide};

const INTERRUPTED: u32 = 0x80000000u;  // a service was interrupted
const COUNTED: u32 = 0x40000000u;      // its arrival is counted
const DRAWN: u32 = 0x20000000u;        // its service is drawn
const EXPECTED: u32 = 0x10000000u;     // room is reserved for it where it goes
const OUTSIDE: u32 = 0x08000000u;      // it has not joined the line
const REPEATED: u32 = 0x04000000u;     // it is served again
const CLASS: u32 = 0x000fffffu;
const GROUP: u32 = 0x03f00000u;        // the number of the group that serves it, where its station has groups
const GROUP_BITS: u32 = 20u;           // below that number

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
    if (IS_PACKED) { return packed_links(packed_token(token)); }
    let row = far_row_at(token_at(token));
    return Links(row.x, row.y, row.z, row.w);
}

fn set_links(token: u32, row: Links) { set_far_row(token_at(token), vec4<u32>(row.before, row.behind, row.about, row.edge)); }
fn set_neighbours(token: u32, before: u32, behind: u32) { set_front(token_at(token), before, behind); }
fn set_about(token: u32, about: u32, edge: u32) { set_back(token_at(token), about, edge); }

// When the token came to its station, and from a source; never where it was there at time 0.
struct Times {
    arrived: Time,
    entered: Time,
}

fn times_of(token: u32) -> Times {
    if (IS_PACKED) { return packed_times(packed_token(token)); }
    let row = far_row_at(token_at(token) + 1u);
    return Times(wide(row.x, row.y), wide(row.z, row.w));
}

fn set_times(token: u32, row: Times) { set_far_row(token_at(token) + 1u, row_of(row.arrived, row.entered)); }

// When the service in progress began, or went on; the length of the service.
struct Service {
    start: Time,
    service: Time,
}

fn service_of(token: u32) -> Service {
    let row = far_row_at(token_at(token) + 2u);
    return Service(wide(row.x, row.y), wide(row.z, row.w));
}

fn set_service(token: u32, row: Service) { set_far_row(token_at(token) + 2u, row_of(row.start, row.service)); }

// The number of its arrival at its station; the number and the place of its event; where it goes.
struct Numbers {
    arrival: u32,
    event: u32,
    place: u32,
    goal: u32,
}

fn numbers_of(token: u32) -> Numbers {
    let row = far_row_at(token_at(token) + 3u);
    return Numbers(row.x, row.y, row.z, row.w);
}

fn set_numbers(token: u32, row: Numbers) { set_far_row(token_at(token) + 3u, vec4<u32>(row.arrival, row.event, row.place, row.goal)); }

// The rest of its service, and since when it waits for that rest.
struct Interruption {
    left: Time,
    since: Time,
}

fn interruption_of(token: u32) -> Interruption {
    let row = far_row_at(token_at(token) + 4u);
    return Interruption(wide(row.x, row.y), wide(row.z, row.w));
}

fn set_interruption(token: u32, row: Interruption) { set_far_row(token_at(token) + 4u, row_of(row.left, row.since)); }
