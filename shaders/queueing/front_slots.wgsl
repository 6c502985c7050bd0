// queueing/front_slots: how many tokens a batch has, and slots for the tokens that stay in the network. Nothing here is
// added up within subgroups: where lanes have parted, some compilers do not bring them together in time.
// Reads and writes: links (the slots of the source).

import package::queueing::front::{BATCH};
import package::queueing::links::{link_of};
import package::queueing::origin::{Origin};
import package::queueing::pool::{reserve};

var<workgroup> shown: array<u32, BATCH>;
var<workgroup> staying: array<atomic<u32>, BATCH / 32u>; // a bit a lane
var<workgroup> slots: array<u32, BATCH>;                 // of the lanes that stay, in their order
var<workgroup> lanes_here: u32;
var<workgroup> lanes_starting: u32;
var<workgroup> refused: u32;

// Finds which lanes stay, and how many are here and start: the first ones do.
fn show(here: bool, starts: bool, stays: bool, lane: u32) {
    if (lane < BATCH) { shown[lane] = u32(here) | (u32(starts) << 1u); }
    if (lane < BATCH / 32u) { atomicStore(&staying[lane], 0u); }
    if (lane == 0u) {
        lanes_here = 0u;
        lanes_starting = 0u;
    }
    workgroupBarrier();
    var next = 0u;
    if (lane + 1u < BATCH) { next = shown[lane + 1u]; }
    if (here && (next & 1u) == 0u) { lanes_here = lane + 1u; }
    if (starts && (next & 2u) == 0u) { lanes_starting = lane + 1u; }
    if (stays) { atomicOr(&staying[lane / 32u], 1u << (lane % 32u)); }
    workgroupBarrier();
}

// Gives slots to the lanes that stay, up to the first lane without one.
fn give_slots(origin: ptr<function, Origin>) {
    refused = BATCH;
    var given = 0u;
    for (var word = 0u; word < BATCH / 32u; word += 1u) {
        for (var bits = atomicLoad(&staying[word]); bits != 0u; bits &= bits - 1u) {
            if (!reserve(origin)) {
                refused = 32u * word + firstTrailingBit(bits);
                return;
            }
            let slot = (*origin).free - 1u;
            slots[given] = slot;
            (*origin).free = link_of(slot);
            given += 1u;
        }
    }
}

fn slot_of(lane: u32) -> u32 {
    var place = countOneBits(atomicLoad(&staying[lane / 32u]) & ((1u << (lane % 32u)) - 1u));
    for (var word = 0u; word < lane / 32u; word += 1u) { place += countOneBits(atomicLoad(&staying[word])); }
    return slots[place];
}
