// multiclass/control/no_steps: a replication goes to its horizon, and nobody decides anything on the way.

import package::lib::control::{control};
import package::lib::time::{Time};

// Whether a replication goes on in this dispatch, and is to go on behind it; up to when it goes.
fn takes_step() -> bool { return true; }
fn is_left(is_before: bool) -> bool { return is_before; }
fn limit_of_copy() -> Time { return control.limit; }

// What has been decided is carried out. Whether the next decision comes before the next event. The dispatch ends.
fn carry_out() {}
fn awaits_decision() -> bool { return false; }
fn ends_step() {}

// An event happens; time comes to the next one.
fn notes_event() {}
fn earns(next: Time) {}
