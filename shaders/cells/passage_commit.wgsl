// cells/passage_commit (part 2 of a round; a workgroup a group of blocks)
// What: takes over the proposed times, and flags the blocks that hear of a change.
// Reads: control, proposals, flags. Writes: control, plans, flags, and of fronts changes.
// Afterwards: no block of this round is flagged; flagged for the next round are blocks that hear of a change, blocks
//             whose own changes may not be the last, and blocks that were not urgent enough.

import package::cells::cell::{plans};
import package::cells::groups::{block_of, blocks_of};
import package::cells::passage::{
    AGAIN, URGENCY, flag, flag_hearers, flag_place, flags, least_urgent, list, proposals, set_pending, urgency,
};
import package::cells::space::{BLOCK_CELLS, enter};
import package::lib::control::{control};
import package::lib::wide::{wide_differs, wide_minimum};
import constants::{WORKGROUP};
import relaxation::{changed};
import word64::{wide_less};
import workgroup::{workgroup_prefix};

fn run(group: u32, lane: u32) {
    let parity = control.round & 1u;
    let running = control.running != 0u;
    let least = least_urgent(group, lane, parity);
    let count = blocks_of(group);
    var more = 0u;
    for (var first = 0u; first < count; first += WORKGROUP) {
        var block = 0u;
        var wanted = 0u;
        if (running && first + lane < count) {
            block = block_of(group, first + lane);
            let flagged = atomicLoad(&flags[flag_place(parity, block)]);
            let urgent = flagged & URGENCY;
            wanted = select(0u, 1u, urgent >= least);
            if ((flagged & AGAIN) != 0u || (urgent != 0u && wanted == 0u)) {
                flag(1u - parity, block, urgent);
                more = 1u;
            }
        }
        var listed = 0u;
        let rank = workgroup_prefix(lane, wanted, &listed);
        if (wanted != 0u) { list[rank] = block; }
        workgroupBarrier();
        for (var cell = lane; cell < listed * BLOCK_CELLS; cell += WORKGROUP) {
            more = max(more, commit(list[cell / BLOCK_CELLS], cell % BLOCK_CELLS, 1u - parity));
        }
        workgroupBarrier();
    }
    // Here all lanes have chosen.
    for (var n = lane; n < count; n += WORKGROUP) {
        if (running) { atomicStore(&flags[flag_place(parity, block_of(group, n))], 0u); }
    }
    if (more != 0u) { set_pending(1u - parity, 1u); }
    if (running && group == 0u && lane == 0u) {
        set_pending(parity, 0u);
        control.finished = control.round;
        control.model.before = control.model.number;
    }
}

// Commits the change of a cell; returns whether other cells may hear of it.
fn commit(block: u32, place: u32, next: u32) -> u32 {
    let slot = block * BLOCK_CELLS + place;
    if (!enter(slot)) { return 0u; }
    let time = proposals[slot];
    let old = plans[slot];
    if (!wide_differs(time, old)) { return 0u; }
    plans[slot] = time;
    changed(slot);
    let earlier = wide_minimum(time, old);
    if (!wide_less(earlier, control.limit)) { return 0u; }
    flag_hearers(next, block, urgency(earlier));
    return 1u;
}
