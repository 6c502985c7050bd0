// pathfinding/tally (part 2 of a round; one thread)
// What: advances the clock: a time unit for each search that has ended.
// Reads: control. Writes: control.
// Afterwards: control.running says whether a search is left.

import package::lib::control::{control};
import word64::{wide, wide_add, wide_less};

fn run(group: u32, lane: u32) {
    if (lane != 0u || !wide_less(wide(0u, 0u), control.limit)) { return; }
    let ended = atomicLoad(&control.model.ended);
    let runs = ended < control.model.searches;
    control.bound = wide(0u, ended);
    // The cells that searches of this round have expanded; the searches count them at their end, this count is for a
    // watch.
    let events = atomicExchange(&control.selected, 0u);
    control.events = wide_add(control.events, wide(events, 0u));
    if (runs || control.running != 0u) {
        control.round = control.finished + 1u;
        control.finished = control.round;
    }
    control.running = select(0u, 1u, runs);
}
