// multiclass/servers/no_groups: the servers of every station are alike.

import decisions::{own_list};
import package::lib::pcg32::{Stream};
import package::lib::time::{Time};
import package::multiclass::parameters::{NONE};
import package::multiclass::pending::{Event};
import package::multiclass::stations::rules::{level_of};
import package::multiclass::tokens::{CLASS};
import server_schedule::{has_server};

// Whether the open station has groups of servers.
fn has_groups() -> bool { return false; }

fn begin_groups(id: u32, stream: ptr<function, Stream>) {}
fn open_groups() {}

// Whether a server is free for an arriving token of a class, which the token takes then. Below, whether a token of a class would find a free server
// at another station; `is_free` is the answer for a station without groups.
fn finds_server(class_of: u32) -> bool { return has_server(); }
fn is_free_at(id: u32, class_of: u32, is_free: bool) -> bool { return is_free; }

// The number of the list of the open station in which a token with this class and these flags waits.
fn list_of(about: u32) -> u32 { return own_list(about & CLASS, level_of(about & CLASS)); }

// A token of a class has joined the line of the open station, or has waited long enough there: which group takes it, if one does. Below, whether
// servers there take several tokens at once.
fn looks_for_group(class_of: u32) {}
fn gathers_here() -> bool { return false; }

// The next token that a group serves leaves its list, and is the guest; or NONE.
fn take_for_group() -> u32 { return NONE; }

// The law of a service of a token with this class and these flags, where the law of its class here is `law`; below, how long it takes.
fn law_by_group(law: u32, about: u32) -> u32 { return law; }
fn time_by_group(time: Time, about: u32) -> Time { return time; }

// A token with this class and these flags has left its server.
fn leaves_group(about: u32) {}

// A shift of a group begins.
fn begin_group_shift(place: u32, event: Event) {}

// A server of a group, or NONE, may be free for those that wait.
fn group_serves(group: u32) {}
