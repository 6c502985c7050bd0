// multiclass/tally (part 2 of a round; one thread)
// What: sets the status to the progress of all replications.
// Reads: control. Writes: control.
// Afterwards: control.running says whether a replication has events before the limit; no event before control.bound is left.

import package::lib::control::{control};
import word64::{wide, wide_add, wide_less};

fn run(group: u32, lane: u32) {
    if (lane != 0u || !wide_less(wide(0u, 0u), control.limit)) { return; }
    let left = atomicExchange(&control.model.left, 0u);
    let earliest = atomicExchange(&control.model.earliest, 0xffffffffu);
    let stops = atomicLoad(&control.room) != 0u || atomicLoad(&control.fault) != 0u;
    control.bound = control.limit;
    if (left != 0u) { control.bound = wide(0u, earliest); }
    let events = atomicExchange(&control.selected, 0u);
    control.events = wide_add(control.events, wide(events, 0u));
    if (left != 0u || control.running != 0u) {
        control.round = control.finished + 1u;
        control.finished = control.round;
        control.rounds = wide_add(control.rounds, wide(control.turns, 0u));
    }
    control.running = select(0u, 1u, left != 0u && !stops);
}
