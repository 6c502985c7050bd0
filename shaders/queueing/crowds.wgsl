// queueing/crowds: stations that many tokens arrive at in one round. Such a crowd waits in many lists, so that as many
// threads put it together, and is decided by one workgroup. Those of a replication are listed in model_table.
// Writes: links.

import package::queueing::links::{push};
import package::queueing::places::{places, model_table};
import package::queueing::records::{NONE, OUTSIDE, links};

const HEADS: u32 = 256u; // lists of a crowd

// The crowd of a station, or NONE.
fn crowd_at(station: u32) -> u32 {
    if (station >= OUTSIDE) { return NONE; }
    let copy = station / places.each;
    let local = station - copy * places.each;
    var low = 0u;
    var high = places.crowds_each;
    while (low < high) {
        let middle = (low + high) / 2u;
        if (model_table[places.crowds + middle].x < local) { low = middle + 1u; } else { high = middle; }
    }
    if (low == places.crowds_each || model_table[places.crowds + low].x != local) { return NONE; }
    return copy * places.crowds_each + low;
}

// Its tokens of this round, and in the next word whether its servers are in order; behind them its lists.
fn size_place(crowd: u32) -> u32 { return places.heads + crowd * (HEADS + 2u); }
fn head_place(crowd: u32, head: u32) -> u32 { return size_place(crowd) + 2u + head; }

// Puts a token into one of the lists; which one decides nothing.
fn join(crowd: u32, id: u32) {
    atomicAdd(&links[size_place(crowd)], 1u);
    push(head_place(crowd, (id * 0x9e3779b9u) >> 24u), id);
}
