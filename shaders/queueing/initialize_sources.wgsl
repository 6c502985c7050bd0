// queueing/initialize_sources (once; one thread an entity)
// What: seeds the stream of each source, draws when its first token comes and gives it the slots of its cell; no slot
//       has an event yet.
// Writes: annex, links, tokens, next_event.

import package::engine::schedule::{next_event};
import package::lib::stream::{entity_stream};
import package::lib::time::{never};
import package::queueing::links::{set_link};
import package::queueing::network::{law_at, stream_key};
import package::queueing::places::{annex, places, set_annex, model_table};
import package::queueing::records::{NONE, parameters, tokens};
import comings::{first_coming};
import constants::{WORKGROUP};
import word64::{wide};

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= parameters.entities) { return; }
    tokens[2u * id + 1u] = vec4<u32>(NONE, 0u, 0u, 0u);
    next_event[id] = never();
    if (id >= parameters.cells) { return; }
    // The slots of a cell are a list; the last slot ends it.
    let place = id & (parameters.cell - 1u);
    set_link(id, select(id + 2u, 0u, place + 1u == parameters.cell));
    if (place == 0u) { begin(id); }
}

fn begin(id: u32) {
    let number = id / parameters.cell;
    let copy = number / places.sources_each;
    let local = number - copy * places.sources_each;
    let row = model_table[places.sources + 2u * local];
    let start = model_table[places.sources + 2u * local + 1u];
    var stream = entity_stream(stream_key(copy), places.each + local);
    let first = first_coming(id, number, row, law_at(row.x), wide(start.x, start.y), &stream);
    if (row.z != 0u || row.w != 0u) { next_event[id] = first; }
    set_annex(places.origins + 3u * number, stream.state);
    annex[places.origins + 3u * number + 2u] = vec2<u32>(id + 2u, 0u);
}
