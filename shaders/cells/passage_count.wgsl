// cells/passage_count (once, when all times are final; a workgroup a group of blocks)
// What: counts what happened: a transition at every instant at which a cell has its event or hears a neighbour's.
// Reads: plans. Writes: flags. Afterwards: the counts of each group lie behind the flags.

import package::cells::cell::{plans};
import package::cells::groups::{block_of, blocks_of, groups_in_all};
import package::cells::passage::{count_place, flags};
import package::cells::space::{BLOCK_CELLS, NOWHERE, enter, neighbour_slot, space};
import package::lib::control::{control};
import package::lib::time::{Time, never};
import package::lib::wide::{wide_differs};
import constants::{WORKGROUP};
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

// The instants at which neighbours have their events, without that of the cell's own.
fn heard(slot: u32) -> u32 {
    var instants = 0u;
    for (var n = 0u; n < space.neighbours; n += 1u) {
        let time = time_of(n);
        if (!wide_less(time, control.limit) || !wide_differs(time, plans[slot])) { continue; }
        var fresh = 1u;
        for (var before = 0u; before < n; before += 1u) {
            if (!wide_differs(time_of(before), time)) { fresh = 0u; }
        }
        instants += fresh;
    }
    return instants;
}

fn time_of(n: u32) -> Time {
    let other = neighbour_slot(n);
    if (other == NOWHERE) { return never(); }
    return plans[other];
}
