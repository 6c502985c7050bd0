// multiclass/stations/no_deadlines: who is served is served to the end.

import package::lib::time::{Time};

// The token at the open station that may be served now gives up at a time; below, it has no patience.
fn notes_end_of_patience(time: Time) {}
fn forgets_patience() {}

// How long a service lasts that has begun for the guest: until its patience ends, if that is earlier. Its edge is NONE then.
fn cut_service(token: u32, work: Time) -> Time { return work; }

// Whether a service that ends with this edge has been abandoned; below, counts it.
fn is_abandoned(edge: u32) -> bool { return false; }
fn counts_abandoned(account: u32) {}
