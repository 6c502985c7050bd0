// queueing/comes_from: where an entity comes from, and which of two arrivals at a station comes first.

import package::engine::schedule::{next_event};
import package::queueing::records::{OUTSIDE, is_source, tokens};
import precedence::{comes_before};
import share::{origin_number};

// Whether entity a comes before b.
fn precedes(a: u32, b: u32) -> bool { return comes_before(a, next_event[a], b, next_event[b]); }

// A station by its number in the whole network; sources, by their numbers here, lie behind all stations.
fn comes_from(entity: u32) -> u32 {
    if (is_source(entity)) { return OUTSIDE | entity; }
    return origin_number(tokens[2u * entity + 1u].x);
}
