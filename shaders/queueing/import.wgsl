// queueing/import (between rounds of a share of the stations; a thread takes several messages)
// What: gives each token that other ranks have announced a slot: those at the end of the free list, which the host has taken off its
//       length already.
// Reads: control. Reads and writes: annex. Writes: tokens, next_event.
// Afterwards: their arrivals are events of this device, of which the host tells the next round the first.

import package::engine::schedule::{next_event};
import package::lib::control::{control};
import package::queueing::places::{annex, annex_wide, places, set_annex};
import package::queueing::records::{OUTSIDE, tokens};
import package::queueing::share::{POST_WORDS, crossing};
import constants::{IMPORT_THREADS, WORKGROUP};
import word64::{wide, wide_add};

fn run(group: u32, lane: u32) {
    let free = atomicLoad(&control.model.free);
    for (var i = group * WORKGROUP + lane; i < control.model.imports; i += IMPORT_THREADS) {
        let place = crossing.messages + POST_WORDS * i;
        let token = annex[crossing.slots + free + i].x;
        let ends = annex[place];
        let departed = annex[place + 3u];
        tokens[2u * token] = vec4<u32>(departed.x, departed.y, 0u, 0u);
        tokens[2u * token + 1u] = vec4<u32>(OUTSIDE | ends.y, ends.x, annex[place + 1u].x, 0u);
        // Never and one tick are 0: it was there at time 0.
        set_annex(places.births + 2u * token, wide_add(annex_wide(place + 2u), wide(1u, 0u)));
        annex[places.births + 2u * token + 1u] = vec2<u32>(0u, 0u);
        next_event[token] = annex_wide(place + 4u);
    }
}
