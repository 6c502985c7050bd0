// multiclass/sharing/no_sharing: a server serves one token.

import package::lib::time::{Time};
import package::multiclass::parameters::{NONE};
import package::multiclass::statistics::accounts::{Served, counted_since};
import word64::{Wide, wide};

// Whether all tokens of the open station share its servers.
fn is_shared() -> bool { return false; }

// The servers of a station where all tokens share them, or 0.
fn shared_servers(id: u32) -> u32 { return 0u; }

// Whether the open station has a clock that says when services end; below, all that happens to it now has happened.
fn has_clock() -> bool { return false; }
fn close_clock() {}

// The number present at the open station changes.
fn changes_pace() {}

// The guest is served by the clock, with so much left of its service; below, a token is no longer. Returns what is left of its
// service.
fn join(token: u32, work: Time) {}
fn part(token: u32) -> Time { return wide(0u, 0u); }

// The last in the order of service of the tokens that the clock serves, or NONE.
fn last_by_clock() -> u32 { return NONE; }

// Whether the length of a service is known as it begins; below, how long an ended service has taken.
fn knows_service() -> bool { return true; }
fn time_taken(token: u32, stay: Served) -> Time { return stay.service; }

// How much longer the service of a token has lasted than with a server of its own.
fn longer_by(stay: Served) -> Time { return wide(0u, 0u); }

// The work of a server for a token whose service ends, or is interrupted, since it began or went on.
fn work_of(account: u32, token: u32, stay: Served) -> Wide { return counted_since(stay.start); }
