// cells/status: what rounds of cells count. Mirrored in src/cells/gpu/state.rs.

import package::lib::time::{Time};
import word64::{Wide};

struct ModelStatus {
    imminent: Wide,        // cells that had their own event, summed over rounds
    selected: atomic<u32>, // ... in this round
    outside: atomic<u32>,  // the first line with an index outside of an array, else all ones
    next: Time,            // over ranks, behind a cycle: the earliest event
    heard: Time,           // ... and that of the cells that other ranks hear
}
