// pending/heap_fours: a heap with four children a place: half as many steps down, which wait for memory one after the other.
// Reads: slots.

import package::pending::heap::{Placed, earlier, placed};

const HEAP_ARITY: u32 = 4u;

// The earliest child of a place, whose first child is at `below`.
fn least_from(below: u32) -> Placed {
    let a = placed(below);
    let b = placed(below + 1u);
    let c = placed(below + 2u);
    let d = placed(below + 3u);
    return earlier(earlier(a, b), earlier(c, d));
}
