// queueing/comes_from: where an entity comes from, and which of two arrivals at a station comes first.

import package::engine::schedule::{next_event};
import package::queueing::records::{OUTSIDE, is_source, tokens};
import precedence::{comes_before};

// Whether entity a comes before b.
fn precedes(a: u32, b: u32) -> bool { return comes_before(a, next_event[a], b, next_event[b]); }

// A station by its number; sources lie behind all stations.
fn comes_from(entity: u32) -> u32 {
    if (is_source(entity)) { return OUTSIDE | entity; }
    return tokens[2u * entity + 1u].x;
}
