// multiclass/blocking/full_lost: a token that finds a station full is lost.

import class_counts::{is_full_of};
import package::multiclass::routes::moves::{moves_about};
import package::multiclass::state::{mine};
import package::multiclass::stations::station::{site};
import package::multiclass::tokens::{CLASS};

fn begin_room(id: u32) {}
fn open_room() {}
fn close_room() {}

// Servers of the open station that serve, or hold a token.
fn taken() -> u32 { return site.serving; }

// The same of a station that is not open, of those that hold one; and whether one of these goes to a station that is marked.
fn blocked_at(id: u32) -> u32 { return 0u; }
fn awaits_marked(id: u32) -> bool { return false; }

// Tokens on their way to a station for which there is room.
fn coming_of(id: u32) -> u32 { return 0u; }

// Whether what comes without a delay may do so before other events are looked for.
fn at_once() -> bool { return mine.alone; }

// Whether the comer finds room at the open station.
fn finds_room() -> bool { return site.present < site.rules.capacity && !is_full_of(site.id, moves_about & CLASS); }

// The open station has a place more; and whether it lets in already who waits for that.
fn makes_room() {}
fn lets_in_here() -> bool { return false; }

// Whether a token of the open station has no room where a route leads, and waits for it.
fn is_held(edge: u32, class_of: u32) -> bool { return false; }

fn hold(token: u32, edge: u32) {}

// The flag of a token of a class that goes to a target.
fn expected_at(goal: u32, class_of: u32) -> u32 { return 0u; }

// A token waits at the open station for those who wait for room elsewhere.
fn check_held() {}

// Lets a token go that has waited for room, and opens its station. Returns whether there was one.
fn release_next() -> bool { return false; }

// Nothing else may make the open station go on now, if its tokens wait for room elsewhere: it is looked at behind the event.
fn looks_again() {}

// Opens the station that may wait for others for ever since this event, asked the last time, or the next one that is looked at behind the
// event. Returns whether there is one; and whether it does, for their room.
fn is_suspected() -> bool { return false; }
fn suspects_next() -> bool { return false; }
fn waits_for_ever() -> bool { return false; }
