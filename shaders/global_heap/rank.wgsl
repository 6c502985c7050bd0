// global_heap/rank: how many events of an area that is in order come before one of another area; so that where areas
// are merged, every event finds its own place. No two events are equal but those that are none: there the area before
// comes first.
// Reads: keys.

import package::global_heap::events::{keys};
import package::pending::order::{precedes};

fn rank_in(area: u32, length: u32, key: vec4<u32>, area_is_before: bool) -> u32 {
    var low = 0u;
    var high = length;
    while (low < high) {
        let middle = (low + high) / 2u;
        let other = keys[area + middle];
        // Of two that are equal the one of the area before.
        let is_before = select(precedes(other, key), !precedes(key, other), area_is_before);
        if (is_before) { low = middle + 1u; } else { high = middle; }
    }
    return low;
}
