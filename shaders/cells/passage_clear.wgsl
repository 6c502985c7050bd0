// cells/passage_clear (once; one thread a slot)
// Writes: plans, proposals. Afterwards: no cell has a time.

fn run(group: u32, lane: u32) {
    let slot = group * WORKGROUP + lane;
    if (slot >= space.slots) { return; }
    plans[slot] = never();
    proposals[slot] = never();
}
