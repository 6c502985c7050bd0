// multiclass/tokens: the tokens of a replication, in places that are used again.
//
//   0    the one before and the one behind it in a queue, of which the first has none before it whatever is there; of a free place,
//        the next free one
//   1    its class and flags; the edge that it takes after its service
//   2    when it came to its station
//   3    when it came from a source; never where it was there at time 0
//   4    when the service in progress began, or went on
//   5    its whole service
//   6    the number of its arrival at its station; the number of its event
//   7    the place of its event; where it goes
//   8    what is left of its service; 9: since when it waits for that. Where all share the servers: see sharing; with a clock: see sharing_paced
//
// and behind that what ways_chosen, units, forks and repeats have.
//
// Reads and writes: held.

import forks::{has_no_siblings, leaves_siblings};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::state::{front_at, mine, record_at, set_row};
import units::{gives_all_units};
import ways::{forget_visits};

const INTERRUPTED: u32 = 0x80000000u;  // a service was interrupted
const COUNTED: u32 = 0x40000000u;      // its arrival is counted
const DRAWN: u32 = 0x20000000u;        // its service is drawn
const EXPECTED: u32 = 0x10000000u;     // there is room for it where it goes
const OUTSIDE: u32 = 0x08000000u;      // it has not joined the line
const REPEATED: u32 = 0x04000000u;     // it is served again
const CLASS: u32 = 0x03ffffffu;

fn token_at(token: u32) -> u32 { return record_at(plan.tokens_at, token, plan.token_rows); }

fn has_place() -> bool { return mine.free != NONE || mine.used < plan.places; }

// The place of a token that comes into the network.
fn new_token() -> u32 {
    var token = mine.free;
    if (token == NONE) {
        token = mine.used;
        mine.used += 1u;
    } else {
        mine.free = front_at(token_at(token)).y;
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
    set_row(token_at(token), vec4<u32>(NONE, mine.free, 0u, 0u));
    mine.free = token;
}
