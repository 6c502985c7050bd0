// pending/heap_pairs: a heap with two children a place.
// Reads: slots.

import package::pending::heap::{Placed, earlier, placed};

const HEAP_ARITY: u32 = 2u;

// The earliest child of a place, whose first child is at `below`.
fn least_from(below: u32) -> Placed {
    let a = placed(below);
    let b = placed(below + 1u);
    return earlier(a, b);
}
