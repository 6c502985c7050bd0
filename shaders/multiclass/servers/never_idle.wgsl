// multiclass/servers/never_idle: servers that set up are off when they have nobody to serve.

import package::multiclass::servers::rules::{Absences};

// Whether idle servers of the open station stay set up.
fn stays_idle() -> bool { return false; }

// At time 0 no server of a station is idle.
fn begin_idle(id: u32, rule: Absences) {}

// So many servers of the open station are idle from now on.
fn counts_idle(rule: Absences, count: u32) {}

// Whether the event of a place ends the time for which a server is idle.
fn is_off(rule: Absences, place: u32) -> bool { return false; }
