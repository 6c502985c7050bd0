// engine/departures (steps 1 to 4 of a round; one workgroup a block of BLOCK entities)
// What: finds the earliest event and the bound, selects the imminent entities of a block in id order and calls the
//       model's `depart(slot, entity)` for each.
// Reads: control, next_event, summaries of the last round.
// Writes: control (first block), the block's summaries, and what the model writes.
// Afterwards: the imminent entities of block b have departed, in slots b * BLOCK and on, and are counted; no event that
//             is left or was scheduled here lies before the block's minimum. A round without work changes nothing.

import package::engine::bound::{round_bound, write_down};
import package::engine::minimum::{earliest_event};
import package::engine::schedule::{scheduled};
import package::engine::select::{earliest_left, imminent, mark_block, rank_block};
import package::lib::control::{control};
import package::lib::summaries::{BLOCK, count_place, departure_place, summaries};
import constants::{WORKGROUP};
import departures::{depart};
import word64::{wide};
import workgroup::{workgroup_minimum};

fn run(block: u32, lane: u32) {
    let earliest = earliest_event(lane);
    let bound = round_bound(earliest);
    if (block == 0u && lane == 0u) { write_down(earliest, bound); }
    let first = block * BLOCK;
    mark_block(first, lane, bound);
    let selected = rank_block(lane);
    scheduled = earliest_left;
    for (var rank = lane; rank < selected; rank += WORKGROUP) { depart(first + rank, imminent(first, rank)); }
    let least = workgroup_minimum(lane, scheduled);
    // The last row of a folded dispatch may have workgroups without a block.
    if (lane == 0u && block < control.blocks) {
        summaries[count_place() + block] = wide(selected, 0u);
        summaries[departure_place(control.finished + 1u) + block] = least;
        atomicAdd(&control.selected, selected);
    }
}
