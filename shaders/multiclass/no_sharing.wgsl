// multiclass/no_sharing: a server serves one token.

import package::lib::time::{Time};
import package::multiclass::accounts::{Served, counted_since};
import word64::{Wide, wide};

// Whether all tokens of the open station share its servers.
fn is_shared() -> bool { return false; }

// The servers of a station where all share them, or 0.
fn shared_servers(id: u32) -> u32 { return 0u; }

// A token begins to share, or ends.
fn join(token: u32) {}
fn part(token: u32) {}

// How much longer the service of a token has lasted than with a server of its own.
fn longer_by(stay: Served) -> Time { return wide(0u, 0u); }

// What a server has done for a token whose service ends, or is interrupted, since it began or went on.
fn work_of(account: u32, token: u32, stay: Served) -> Wide { return counted_since(stay.start); }
