// multiclass/blocking/no_repeats: no service is repeated for want of room.

import package::lib::time::{Time};
import package::multiclass::parameters::{NONE};

// Whether a token that has no room where a route leads is served again.
fn is_repeated(edge: u32) -> bool { return false; }

// The route that a token keeps from an earlier service, or NONE.
fn repeated_way(token: u32, about: u32) -> u32 { return NONE; }

// The time from which the times of a token's service count; the token came to its station at `arrived`.
fn served_from(token: u32, about: u32, arrived: Time) -> Time { return arrived; }

// A token is served again from now on. Returns its class and flags.
fn serve_again(token: u32, about: u32, edge: u32) -> u32 { return about; }
