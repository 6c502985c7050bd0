// multiclass/blocking/stopped_by_event: services that stop have an event that says when they end.
// Reads and writes: replication_state.

import package::lib::time::{Time};
import package::multiclass::pending::{take_event};
import package::multiclass::state::{mine};
import word64::{wide_sub};

// The first served token that goes to a station without room, and its own station: the token with an event; no station is open.
fn served_first(goal: u32, with_event: vec2<u32>) -> vec2<u32> { return with_event; }

// The rest of the service of a token of the open station that stops.
fn left_of(token: u32) -> Time { return wide_sub(take_event(token), mine.now); }
