// queueing/pool: the slots that tokens from sources live in. Each source has its own, those of its cell at first, which
// are refilled by what came back and then by a chunk that nobody had.
// Reads: annex. Writes: links, next_event.

import package::queueing::links::{set_link};
import package::queueing::origin::{Origin};
import package::queueing::places::{CHUNK, places};
import package::queueing::records::{FAULT_POOL, links, parameters};
import faults::{raise};
import leaving::{returned_place};

// Sees to it that a source has a free slot.
fn reserve(origin: ptr<function, Origin>) -> bool {
    if ((*origin).free != 0u) { return true; }
    (*origin).free = atomicExchange(&links[returned_place((*origin).number)], 0u);
    if ((*origin).free != 0u) { return true; }
    // Which chunk it is decides nothing.
    let chunk = atomicAdd(&links[places.cursor], 1u);
    if (chunk >= places.chunks) {
        raise(FAULT_POOL, (*origin).entity);
        return false;
    }
    let first = parameters.entities - (places.chunks - chunk) * CHUNK;
    for (var slot = first + 1u; slot < first + CHUNK; slot += 1u) { set_link(slot - 1u, slot + 1u); }
    set_link(first + CHUNK - 1u, 0u);
    (*origin).free = first + 1u;
    return true;
}
