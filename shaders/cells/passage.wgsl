// cells/passage: cells whose only event is their first passage: the earliest of what has set out from a neighbour at its own
// event and taken its delay. Then no order matters: every cell keeps the earliest time that it knows, and the blocks in which
// one has become earlier tell those around, until nothing changes.
// plans holds the times; flags a word for each block that has something to do, of even and of odd rounds, and behind them
// what the groups have counted.

@group(0) @binding(0) var<storage, read_write> control: Control;
@group(0) @binding(1) var<storage, read_write> plans: array<Time>;
@group(0) @binding(2) var<storage, read_write> flags: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> proposals: array<Time>;

const FLAGGED: u32 = 1u;
const AGAIN: u32 = 2u; // a cell of the block still changed when the round was over

fn flag_place(parity: u32, block: u32) -> u32 { return parity * space.blocks * space.replications + block; }
fn count_place(group: u32) -> u32 { return 2u * space.blocks * space.replications + 2u * group; }

// A block of the one or the other kind of rounds has something to do.
fn flag(parity: u32, block: u32) { atomicStore(&flags[flag_place(parity, block)], FLAGGED); }

// ... and so those that hear the cell at work, where they are others.
fn flag_hearers(parity: u32, block: u32) {
    for (var n = 0u; n < space.neighbours; n += 1u) {
        let hearer = slot_at(-space.offsets[n].xyz);
        if (hearer != NOWHERE && hearer / BLOCK_CELLS != block) { flag(parity, hearer / BLOCK_CELLS); }
    }
}

// Whether there is anything to do in rounds of this parity.
fn pending(parity: u32) -> bool {
    if (parity == 0u) { return atomicLoad(&control.selected) != 0u; }
    return atomicLoad(&control.working) != 0u;
}

fn set_pending(parity: u32, value: u32) {
    if (parity == 0u) { atomicStore(&control.selected, value); } else { atomicStore(&control.working, value); }
}
