// cells/status: what rounds of cells count. Mirrored in src/cells/gpu/state.rs.

import word64::{Wide};

struct ModelStatus {
    imminent: Wide,        // cells that had their own event, summed over rounds
    selected: atomic<u32>, // ... in this round
    outside: atomic<u32>,  // the first line with an index outside of an array, else all ones
}
