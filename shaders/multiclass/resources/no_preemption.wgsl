// multiclass/resources/no_preemption: tokens that wait for units interrupt no services.

import package::multiclass::parameters::{NONE};
import package::multiclass::resources::rules::{Seizing};

// The first token of a station with a free server, if it may take from others the units that it lacks, or NONE. Below: the first token of a
// station without a free server, if it may interrupt a service there, or NONE.
fn first_preempting(id: u32, rule: Seizing) -> u32 { return NONE; }
fn first_pushing(id: u32) -> u32 { return NONE; }

// The token for which services are being interrupted, or NONE.
fn preempter() -> u32 { return NONE; }

// Notes in `paused` a service that is in the way of a token of the open station, and opens the station of that service. False: nothing is in
// the way.
fn preempts(token: u32) -> bool { return false; }
