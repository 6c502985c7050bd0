// multiclass/forks/no_forks: tokens do not split.

import package::lib::time::{Time};

fn begin_forks() {}

// Whether several tokens may leave at a time, so that events stay apart; below, whether there are places for them.
fn has_forks() -> bool { return false; }
fn has_room_to_fork() -> bool { return true; }

// A token comes into the network, not as a copy; below, a token has left it.
fn has_no_siblings(token: u32) {}
fn leaves_siblings(token: u32) {}

// A served token of a class, which came into the network at a time, leaves the open station; below, its copies follow it.
fn splits(token: u32, class_of: u32, edge: u32, entered: Time) {}
fn send_copies() {}

// Whether the comer waits for others at the open station; below, whether they are still to come, and who goes on once they have come.
fn is_joined(token: u32) -> bool { return false; }
fn waits_for_siblings(token: u32, class_of: u32) -> bool { return false; }
fn joined(token: u32) -> u32 { return token; }

// A token whose last sibling has left the network comes to its station anew, with room there; below, whether it does.
fn go_on_alone() {}
fn comes_anew() -> bool { return false; }
