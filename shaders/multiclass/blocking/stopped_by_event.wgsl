// multiclass/blocking/stopped_by_event: services that stop have an event that says when they end.
// Reads and writes: replication_state.

import package::lib::time::{Time};
import package::multiclass::blocking::feeding::{Feeder};
import package::multiclass::pending::{take_event};
import package::multiclass::state::{mine};
import word64::{wide_sub};

// The first token that is served to go to a station without room and its station, where that with an event is known; no station is open.
fn served_first(goal: u32, with_event: Feeder) -> Feeder { return with_event; }

// The rest of the service of a token of the open station that stops.
fn left_of(token: u32) -> Time { return wide_sub(take_event(token), mine.now); }
