// multiclass/resources/no_preemption: tokens that wait for units interrupt no services.

import package::multiclass::parameters::{NONE};
import package::multiclass::resources::rules::{Seizing};

// The first token of a station with this rule, and a free server, that gets the units which it lacks from others; below, of a station without a
// free server, that interrupts a service there. Or NONE.
fn first_preempting(id: u32, rule: Seizing) -> u32 { return NONE; }
fn first_pushing(id: u32) -> u32 { return NONE; }

// The token for which services are being interrupted, or NONE.
fn preempter() -> u32 { return NONE; }

// Whether somebody is in the way of the next token of the open station: the station of that one is opened, and its service is to be
// interrupted.
fn preempts(token: u32) -> bool { return false; }
