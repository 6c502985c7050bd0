// multiclass/blocking/full_lost: a token that finds a station full is lost.

import class_counts::{is_full_of};
import package::multiclass::routes::moves::{moves_about};
import package::multiclass::state::{mine};
import package::multiclass::stations::station::{site};
import package::multiclass::tokens::{CLASS};

fn begin_room(id: u32) {}
fn open_room() {}
fn close_room() {}

// Servers of the open station that serve a token, or hold a blocked one.
fn taken() -> u32 { return site.serving; }

// The servers of a station that is not open that hold a blocked token; below, whether such a token goes to a marked station.
fn blocked_at(id: u32) -> u32 { return 0u; }
fn awaits_marked(id: u32) -> bool { return false; }

// Tokens on their way to a station for which there is room.
fn coming_of(id: u32) -> u32 { return 0u; }

// Whether an arrival without delay may happen before other events are looked for.
fn at_once() -> bool { return mine.alone; }

// Whether the arriving token finds room at the open station.
fn finds_room() -> bool { return site.present < site.rules.capacity && !is_full_of(site.id, moves_about & CLASS); }

// The open station has a place more; below, whether it already lets in tokens that wait for it.
fn makes_room() {}
fn lets_in_here() -> bool { return false; }

// Whether a token of the open station has no room where a route leads, and is blocked.
fn is_held(edge: u32, class_of: u32) -> bool { return false; }

fn hold(token: u32, edge: u32) {}

// The flag of a token of a class that goes to a target.
fn expected_at(goal: u32, class_of: u32) -> u32 { return 0u; }

// A token at the open station waits behind blocked tokens.
fn check_held() {}

// Lets a blocked token go, and opens its station. Returns whether there was one.
fn release_next() -> bool { return false; }

// Nothing else may make the open station go on now, if its tokens are blocked: it is looked at behind the event.
fn looks_again() {}

// Opens the station that may have come into a deadlock with this event, asked the last time, or the next station that is looked at behind
// the event. Returns whether there is one; below, whether it is in a deadlock over room.
fn is_suspected() -> bool { return false; }
fn suspects_next() -> bool { return false; }
fn waits_for_ever() -> bool { return false; }
