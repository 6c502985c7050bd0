// multiclass/servers/no_wear: servers fail by time, if at all.

import package::lib::time::{Time};
import package::multiclass::parameters::{NONE};
import package::multiclass::servers::rules::{Shifts};

// Whether servers of a station with this row about its shifts wear out.
fn wears(shifts: Shifts) -> bool { return false; }

// A server is in order for so much use; its event is in a place.
fn renew(place: u32, left: Time) {}

// A token of the open station has a server, is served from now on, is served no longer, or has no server.
fn takes_server(token: u32) {}
fn take_up(token: u32) {}
fn put_down(token: u32) {}
fn let_go(token: u32) {}

// The token that the server with its event in a place serves or holds.
fn served_by(place: u32) -> u32 { return NONE; }
