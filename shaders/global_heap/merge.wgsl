// global_heap/merge (part 3 of a round, as often as needed; one thread an event)
// What: merges FAN runs of RUN events each, which lie one behind the other.
// Reads: keys, cargo, heap_words. Writes: keys, cargo.
// Afterwards: MERGED_AT has runs of FAN * RUN events; the last time it is SORTED_AT, with a single run.

import package::global_heap::areas::{stepping};
import package::global_heap::events::{keys, put};
import package::global_heap::rank::{rank_in};
import constants::{FAN, MERGED_AT, MERGING_AT, RUN, SORTED, WORKGROUP};

fn run(group: u32, lane: u32) {
    let place = group * WORKGROUP + lane;
    if (!stepping() || place >= SORTED) { return; }
    let own = place / RUN;
    let first = own - own % FAN;
    let key = keys[MERGING_AT + place];
    var rank = place % RUN;
    for (var other = first; other < first + FAN; other += 1u) {
        if (other != own) { rank += rank_in(MERGING_AT + other * RUN, RUN, key, other < own); }
    }
    put(MERGED_AT + first * RUN + rank, MERGING_AT + place);
}
