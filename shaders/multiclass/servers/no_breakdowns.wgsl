// multiclass/servers/no_breakdowns: no server of a group fails.

import package::lib::pcg32::{Stream};
import package::multiclass::parameters::{NONE};
import package::multiclass::pending::{Event};
import package::multiclass::queues::orders::{is_before};
import package::multiclass::servers::group_rows::{Groups};

// Servers of groups at time 0; below, a station is opened.
fn begin_breakdowns(id: u32, stream: ptr<function, Stream>) {}
fn open_breakdowns() {}

// A server of a group of the open station fails or is repaired, by the event in a place. Returns the group that has one more, or NONE. Below, draws how
// long it stays so.
fn breaks_down(place: u32, event: Event) -> u32 { return NONE; }
fn draws_breakdown() {}

// How many servers of a group are in order, of those on duty; below, how many of all groups are not, and hold no token.
fn group_in_order(groups: Groups, number: u32, on_duty: u32) -> u32 { return on_duty; }
fn down_in_groups() -> u32 { return 0u; }

// The next token that has no server in its group, or NONE; below, whether a token may be the one.
fn next_paused_of() -> u32 { return NONE; }
fn may_pause(token: u32) -> bool { return true; }

// Whether a token stands before another one with these flags in a list: of one priority.
fn is_ahead(token: u32, other: u32, about: u32) -> bool { return is_before(token, other); }

// The list of those that a group goes on with, or NONE where there are none.
fn interrupted_list(groups: Groups, number: u32) -> u32 { return NONE; }
