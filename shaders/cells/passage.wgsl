// cells/passage: cells whose only event is their first passage: the earliest arrival of what a neighbour has sent at its own event.
// Then no order matters: every cell computes its time from the times that it knows, and a block in which a time has changed flags
// the blocks around, until nothing changes. Times that satisfy every cell are the times of the run, since each follows from earlier
// times; of fronts the greatest such times, for cells begin with no time and times only become earlier. plans holds the times;
// flags a word for each block, of even and of odd rounds: how urgent its work is, 0 for none; and behind these words the counts of
// the groups.

import package::cells::groups::{block_of, blocks_of};
import package::cells::space::{BLOCK_CELLS, NOWHERE, slot_at, space};
import package::lib::control::{control};
import package::lib::time::{Time};
import constants::{WORKGROUP};
import word64::{wide, wide_high, wide_low};
import workgroup::{workgroup_minimum};

var<storage, read_write> flags: array<atomic<u32>>;
var<storage, read_write> proposals: array<Time>;

// Blocks at work in a round.
var<workgroup> list: array<u32, WORKGROUP>;

const URGENCY: u32 = 0x7fffffffu;
const AGAIN: u32 = 0x80000000u; // a cell of the block still changed when the round was over

fn flag_place(parity: u32, block: u32) -> u32 { return parity * space.blocks * space.replications + block; }
fn count_place(group: u32) -> u32 { return 2u * space.blocks * space.replications + 2u * group; }

// How urgent work with a time is: an early time is urgent.
fn urgency(time: Time) -> u32 {
    if (wide_high(time) >= 0x40000000u) { return 1u; }
    return max(URGENCY - ((wide_high(time) << (32u - space.coarse)) | (wide_low(time) >> space.coarse)), 1u);
}

// Flags work for a block in even or odd rounds.
fn flag(parity: u32, block: u32, urgent: u32) { atomicMax(&flags[flag_place(parity, block)], urgent); }

// Flags the blocks that hear the cell at work, except its own.
fn flag_hearers(parity: u32, block: u32, urgent: u32) {
    for (var n = 0u; n < space.neighbours; n += 1u) {
        let hearer = slot_at(-space.offsets[n].xyz);
        if (hearer != NOWHERE && hearer / BLOCK_CELLS != block) { flag(parity, hearer / BLOCK_CELLS, urgent); }
    }
}

// The urgency from which on the blocks of a group are at work in this round; the same in relax and in commit.
fn least_urgent(group: u32, lane: u32, parity: u32) -> u32 {
    if (space.patience == URGENCY) { return 1u; }
    var most = 0u;
    let count = blocks_of(group);
    for (var n = lane; n < count; n += WORKGROUP) {
        most = max(most, atomicLoad(&flags[flag_place(parity, block_of(group, n))]) & URGENCY);
    }
    most = URGENCY - wide_low(workgroup_minimum(lane, wide(URGENCY - most, 0u)));
    return max(most, space.patience + 1u) - space.patience;
}

// Whether rounds of this parity have work.
fn pending(parity: u32) -> bool {
    if (parity == 0u) { return atomicLoad(&control.model.even) != 0u; }
    return atomicLoad(&control.model.odd) != 0u;
}

fn set_pending(parity: u32, value: u32) {
    if (parity == 0u) { atomicStore(&control.model.even, value); } else { atomicStore(&control.model.odd, value); }
}
