// queueing/origin: the words of a source in annex.

import package::queueing::places::{annex, annex_wide, places, set_annex};
import package::queueing::records::{parameters};
import word64::{Wide};

struct Origin {
    entity: u32,
    number: u32,
    state: Wide,          // of the random stream
    sent: Wide,           // tokens sent so far
    free: u32,            // link of a free slot
    left: u32,            // tokens that are still to come at a time, see queueing/comings_varied
}

fn load_origin(entity: u32) -> Origin {
    let number = entity / parameters.cell;
    let place = places.origins + 3u * number;
    let rest = annex[place + 2u];
    return Origin(entity, number, annex_wide(place), annex_wide(place + 1u), rest.x, rest.y);
}

fn store_origin(origin: Origin) {
    let place = places.origins + 3u * origin.number;
    set_annex(place, origin.state);
    set_annex(place + 1u, origin.sent);
    annex[place + 2u] = vec2<u32>(origin.free, origin.left);
}
