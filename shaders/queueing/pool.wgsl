// queueing/pool: the slots for tokens from sources. Each source has its own slots, at first those of its cell; the
// slots that came back refill them, and then a free chunk.
// Reads: annex. Writes: links, next_event.

import package::queueing::links::{set_link};
import package::queueing::origin::{Origin};
import package::queueing::places::{CHUNK, places};
import package::queueing::records::{FAULT_POOL, links, parameters};
import faults::{raise};
import leaving::{returned_place};

// Makes sure that a source has a free slot; false where none is left.
fn reserve(origin: ptr<function, Origin>) -> bool {
    if ((*origin).free != 0u) { return true; }
    (*origin).free = atomicExchange(&links[returned_place((*origin).number)], 0u);
    if ((*origin).free != 0u) { return true; }
    // The number of the chunk decides nothing.
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
