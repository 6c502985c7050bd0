// multiclass/servers/no_bulks: every server serves one token at a time.

import package::lib::time::{Time};
import package::multiclass::parameters::{NONE};
import package::multiclass::servers::group_choice::{chosen_list};
import package::multiclass::servers::group_rows::{Groups};
import word64::{wide};

// A station is opened, of which nobody has taken a batch yet.
fn open_bulks() {}

// Whether servers of the open station may serve several tokens at once: who comes joins the line first.
fn gathers(groups: Groups) -> bool { return false; }

// Whether a server of a group begins to serve now, and may take the first token of a batch.
fn begins_batch(groups: Groups, group: u32) -> bool { return true; }

// The list from which a group takes its next token, or NONE.
fn member_list(groups: Groups, group: u32) -> u32 { return chosen_list(groups, group); }

// Whether a server is to take another token of the batch that it has begun to take; and takes it. Returns the flag of that token.
fn takes_more() -> bool { return false; }
fn takes_member() -> u32 { return 0u; }

// Whether the token that was taken last is the first of its batch; and the service of the others.
fn is_first_member() -> bool { return true; }
fn batch_time() -> Time { return wide(0u, 0u); }

// The service of a batch, from a time that is drawn for its first token.
fn time_by_batch(time: Time) -> Time { return time; }

// Whether others of its batch leave behind a token with these flags.
fn shares_server(about: u32) -> bool { return false; }

// Counts batches that a group takes, whose words these are.
fn count_batch(words: u32) {}

// Who comes to the open station has joined its line: the group that may take a batch now, or NONE.
fn group_for(groups: Groups, class_of: u32) -> u32 { return NONE; }

// Whether a token that has waited long enough stays, and others need not come any more for it to be served.
fn waits_no_longer(token: u32) -> bool { return false; }

// Whether the guest of the open station has waited so long that it has no event any more.
fn has_waited(token: u32) -> bool { return false; }
