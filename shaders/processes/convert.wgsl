// processes/convert (between rounds; one thread a process, one workgroup a block of BLOCK processes)
// What: makes another kind of set of each set of pending events, by `convert()`.
// Reads: parameters. Writes: processes, slots.
// Afterwards: rounds of the other kind go on with the same events.

fn run(block: u32, lane: u32) {
    for (var place = lane; place < BLOCK; place += WORKGROUP) {
        let id = block * BLOCK + place;
        if (id >= parameters.processes) { break; }
        open_pending(id);
        convert();
        close_pending(id);
    }
}
