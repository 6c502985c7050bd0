// multiclass/no_sharing: a server serves one token.

import package::multiclass::accounts::{FAULT_BUSY, add_to, counted_since};
import package::multiclass::state::{wide_at};
import package::multiclass::tokens::{token_at};

// Whether all tokens of the open station share its servers.
fn is_shared() -> bool { return false; }

// A token begins to share, or ends.
fn join(token: u32) {}
fn part(token: u32) {}

// Enters what a server has done for a token whose service ends, or is interrupted.
fn enter_work(account: u32, token: u32) {
    add_to(account + 5u, counted_since(wide_at(token_at(token) + 4u)), FAULT_BUSY);
}
