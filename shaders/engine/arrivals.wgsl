// engine/arrivals (step 5 of a round; one workgroup a block)
// What: calls the model's `arrive(slot)` for every slot that departure filled.
// Reads: control, summaries.
// Writes: control (first block), the block's summary, and what the model writes.
// Afterwards: the round is finished; no event that was scheduled here lies before the block's minimum.

fn this_round() -> u32 { return control.round; }

fn run(block: u32, lane: u32) {
    let running = control.running != 0u;
    var count = 0u;
    if (running && block < control.blocks) { count = wide_low(summaries[count_place() + block]); }
    scheduled = never();
    for (var place = lane; place < count; place += WORKGROUP) { arrive(block * BLOCK + place); }
    let least = workgroup_minimum(lane, scheduled);
    if (lane != 0u || !running || block >= control.blocks) { return; }
    summaries[arrival_place() + block] = least;
    if (block == 0u) { finish(); }
}

fn finish() {
    control.finished = control.round;
    control.events = wide_add(control.events, wide(atomicLoad(&control.selected), 0u));
    atomicStore(&control.selected, 0u);
}
