// cells/passage_begins (once, after cells/passage_start, where delays depend on the time of departure; one thread a slot)
// Reads: plans. Writes: begins. Afterwards: begins has for every cell the time of the event that it has by itself.

import package::cells::cell::{plans};
import package::cells::space::{space};
import package::lib::time::{Time};
import constants::{WORKGROUP};

var<storage, read_write> begins: array<Time>;

fn run(group: u32, lane: u32) {
    let slot = group * WORKGROUP + lane;
    if (slot < space.slots) { begins[slot] = plans[slot]; }
}
