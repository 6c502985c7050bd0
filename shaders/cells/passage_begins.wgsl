// cells/passage_begins (once, after cells/passage_start, where delays depend on when something sets out; one thread a slot)
// Reads: plans. Writes: begins. Afterwards: it is known of every cell when it has its event by itself.

import package::cells::cell::{plans};
import package::cells::space::{space};
import package::lib::time::{Time};
import constants::{WORKGROUP};

var<storage, read_write> begins: array<Time>;

fn run(group: u32, lane: u32) {
    let slot = group * WORKGROUP + lane;
    if (slot < space.slots) { begins[slot] = plans[slot]; }
}
