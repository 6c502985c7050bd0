// pending/heap_pairs: a heap with two below each place.
// Reads: slots.

import package::pending::heap::{Placed, earlier, placed};

const HEAP_ARITY: u32 = 2u;

// The earliest below a place, of which the first is at `below`.
fn least_from(below: u32) -> Placed {
    let a = placed(below);
    let b = placed(below + 1u);
    return earlier(a, b);
}
