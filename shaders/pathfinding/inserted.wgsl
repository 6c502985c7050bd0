// pathfinding/inserted: an open cell goes into the open list at once.
// Writes: slots.

import package::lib::time::{Time};
import events::{new_event};
import insertion::{insert};
import word64::{wide_high, wide_low};

// There is room: see `has_room` of pathfinding/step.
fn discover(time: Time, left: u32, place: u32) {
    insert(new_event(vec4<u32>(wide_low(time), wide_high(time), left, place), vec4<u32>()));
}

fn end_discovery() {}
