// multiclass/routes/no_class_counts: no rule depends on how many tokens of a class are at a station.

import package::multiclass::sharing::clock::{Clock};
import word64::{wide};

// The open station has one token of a class more or fewer; room is reserved for one, or no longer.
fn class_comes(class_of: u32) {}
fn class_goes(class_of: u32) {}
fn class_expected(goal: u32, class_of: u32) {}
fn class_came(class_of: u32) {}

// Whether a station has no room for another token of a class with room of its own.
fn is_full_of(id: u32, class_of: u32) -> bool { return false; }

// The tokens of a class at a station, and on their way there with reserved room.
fn tokens_of(id: u32, class_of: u32) -> u32 { return 0u; }

// Whether any class has room of its own.
fn limits_classes() -> bool { return false; }

// The expected work of the tokens at a station; below, the servers that do it.
fn work_at(id: u32) -> Clock { return Clock(wide(0u, 0u), 0u); }
fn workers_of(id: u32) -> u32 { return 1u; }
