// multiclass/stations/no_time_factors: how long services take does not depend on when they begin.

import package::lib::time::{Time};

// The time of a service that begins now at the open station.
fn time_begun_now(time: Time) -> Time { return time; }

// Whether services at the open station take no time: another one may end now.
fn takes_no_time() -> bool { return false; }
