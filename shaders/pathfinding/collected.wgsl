// pathfinding/collected: open cells are messages (pending/messages) until the end of a step; then the open list takes all of
// them in. Some sets take in a whole list faster than cell by cell.
// Reads and writes: messages, of this thread only; slots.

import package::lib::time::{Time};
import package::pathfinding::ground::{DIRECTIONS};
import package::pathfinding::works::{work};
import package::pending::messages::{messages};
import constants::{EXPAND};
import intake::{take_in};
import word64::{wide_high, wide_low};

var<private> collected: u32;  // how many there are
var<private> latest: u32;     // the link of the last one

fn discover(time: Time, left: u32, place: u32) {
    let link = work.thread * DIRECTIONS * EXPAND + collected + 1u;
    messages[2u * link - 2u] = vec4<u32>(wide_low(time), wide_high(time), left, place);
    messages[2u * link - 1u] = vec4<u32>(latest, 0u, 0u, 0u);
    latest = link;
    collected += 1u;
}

// There is room for the messages: see `has_room` of pathfinding/step.
fn end_discovery() {
    if (latest != 0u) { take_in(latest); }
    latest = 0u;
    collected = 0u;
}
