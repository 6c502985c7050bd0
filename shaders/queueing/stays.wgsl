// queueing/stays: the distribution of the time in the network, at each sink of a replication.
// Writes: links, where the counts of bins are.

import package::queueing::network::{Site};
import package::queueing::observed::{bin_of};
import package::queueing::places::{places, model_table};
import package::queueing::records::{FAULT_STAYS, NONE, links};
import faults::{raise};
import word64::{Wide};

// Counts a token from a source that leaves.
fn observe_stay(site: Site, way: u32, stay: Wide) {
    let copy = site.id / places.each;
    let sink = copy * places.sinks_each + model_table[places.ways + way].x;
    // Sums are the same in any order; the value that the exchange returns only shows a count past its range.
    let before = atomicAdd(&links[places.stays + sink * places.bins + bin_of(stay)], 1u);
    if (before == NONE) { raise(FAULT_STAYS, site.id); }
}
