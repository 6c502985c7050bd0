// cells/passage_relax (part 1 of a round; a workgroup a group of blocks)
// What: finds the times of the cells of urgent blocks, as far as they follow from the block and the known times around it.
// Reads: control, plans, flags. Writes: control (first group), proposals, flags (of its own blocks); of fronts also reads and
//       writes changes.
// Afterwards: proposals of urgent blocks are their times; a block is flagged again where these times might not be final.

import package::cells::groups::{block_of, blocks_of};
import package::cells::passage::{flag_place, flags, least_urgent, list, pending};
import package::lib::control::{control};
import constants::{WORKGROUP};
import relaxation::{relax};
import word64::{wide, wide_less};
import workgroup::{workgroup_prefix};

fn run(group: u32, lane: u32) {
    let parity = (control.finished + 1u) & 1u;
    let goes = wide_less(wide(0u, 0u), control.limit) && pending(parity);
    if (group == 0u && lane == 0u) { begin(goes); }
    let least = least_urgent(group, lane, parity);
    let count = blocks_of(group);
    for (var first = 0u; first < count; first += WORKGROUP) {
        var block = 0u;
        var wanted = 0u;
        if (goes && first + lane < count) {
            block = block_of(group, first + lane);
            wanted = select(0u, 1u, atomicLoad(&flags[flag_place(parity, block)]) >= least);
        }
        var listed = 0u;
        let rank = workgroup_prefix(lane, wanted, &listed);
        if (wanted != 0u) { list[rank] = block; }
        workgroupBarrier();
        relax(lane, listed, parity);
        workgroupBarrier();
    }
}

fn begin(goes: bool) {
    control.running = select(0u, 1u, goes);
    if (goes) {
        control.round = control.finished + 1u;
        control.model.number = control.model.before + 1u;
    } else {
        control.bound = control.limit;
    }
}
