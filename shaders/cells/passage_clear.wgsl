// cells/passage_clear (once; one thread a slot)
// Writes: plans, proposals. Afterwards: no cell has a time.

import package::cells::cell::{plans};
import package::cells::passage::{proposals};
import package::cells::space::{space};
import package::lib::time::{never};
import constants::{WORKGROUP};

fn run(group: u32, lane: u32) {
    let slot = group * WORKGROUP + lane;
    if (slot >= space.slots) { return; }
    plans[slot] = never();
    proposals[slot] = never();
}
