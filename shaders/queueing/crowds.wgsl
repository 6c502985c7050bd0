// queueing/crowds: stations that many tokens arrive at in one round. Such a crowd waits in many lists, so that as many
// threads put it together, and is decided by one workgroup. model_table lists the crowds of a replication.
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

// The place of the number of a crowd's tokens in this round; the next word says whether its servers are in order; then
// its lists.
fn size_place(crowd: u32) -> u32 { return places.heads + crowd * (HEADS + 2u); }
fn head_place(crowd: u32, head: u32) -> u32 { return size_place(crowd) + 2u + head; }

// Puts a token into a list of the crowd; which list decides nothing.
fn join(crowd: u32, id: u32) {
    atomicAdd(&links[size_place(crowd)], 1u);
    push(head_place(crowd, (id * 0x9e3779b9u) >> 24u), id);
}
