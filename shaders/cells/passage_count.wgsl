// cells/passage_count (once, when all times are final; a workgroup a group of blocks)
// What: counts transitions: one at every instant at which a cell has its event or, where that may change the cell, hears an
//       event of a neighbour.
// Reads: plans. Writes: flags. Afterwards: the counts of each group lie behind the flags.

import package::cells::cell::{plans};
import package::cells::groups::{block_of, blocks_of, groups_in_all};
import package::cells::passage::{count_place, flags};
import package::cells::space::{BLOCK_CELLS, enter};
import package::lib::control::{control};
import constants::{WORKGROUP};
import relaxation::{heard};
import word64::{wide_less};
import workgroup::{workgroup_sum};

fn run(group: u32, lane: u32) {
    var transitions = 0u;
    var events = 0u;
    let cells = blocks_of(group) * BLOCK_CELLS;
    for (var cell = lane; cell < cells; cell += WORKGROUP) {
        let slot = block_of(group, cell / BLOCK_CELLS) * BLOCK_CELLS + cell % BLOCK_CELLS;
        if (enter(slot)) {
            let own = wide_less(plans[slot], control.limit);
            events += select(0u, 1u, own);
            transitions += select(0u, 1u, own) + heard(slot);
        }
    }
    let all = workgroup_sum(lane, transitions);
    let imminent = workgroup_sum(lane, events);
    if (lane == 0u && group < groups_in_all()) {
        atomicStore(&flags[count_place(group)], all);
        atomicStore(&flags[count_place(group) + 1u], imminent);
    }
}
