// multiclass/sources/one_goal: a source leads to one station.

import package::multiclass::sources::rules::{inflow_of};

// Where the next token of a source goes.
fn goal_of_next(source: u32, class_of: u32) -> u32 { return inflow_of(source).goal; }
