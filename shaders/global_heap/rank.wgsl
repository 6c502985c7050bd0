// global_heap/rank: how many events of an ordered area come before an event of another area, so that in a merge every
// event finds its own place. No two events are equal except empty ones, of which those of the earlier area come first.
// Reads: keys.

import package::global_heap::events::{keys};
import package::pending::order::{precedes};

fn rank_in(area: u32, length: u32, key: vec4<u32>, area_is_before: bool) -> u32 {
    var low = 0u;
    var high = length;
    while (low < high) {
        let middle = (low + high) / 2u;
        let other = keys[area + middle];
        // Of two equal events the event of the earlier area.
        let is_before = select(precedes(other, key), !precedes(key, other), area_is_before);
        if (is_before) { low = middle + 1u; } else { high = middle; }
    }
    return low;
}
