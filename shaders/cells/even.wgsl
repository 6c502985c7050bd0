// cells/even: models with one lookahead for all cells.

import package::cells::space::{space};
import package::lib::control::{control};
import package::lib::time::{Time};
import word64::{wide};

fn lookahead_around(slot: u32) -> Time { return control.lookahead; }
fn furthest_of(slot: u32) -> Time { return wide(space.furthest.x, space.furthest.y); }
fn furthest_in(block: u32) -> Time { return wide(space.furthest.x, space.furthest.y); }
