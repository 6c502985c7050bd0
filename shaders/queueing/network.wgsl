// queueing/network: a topology in rows, shared by all replications: its laws, streams and routes, see queueing/places.

import package::lib::law::{Law};
import package::lib::pcg32::{Stream};
import package::lib::stream::{entity_increment, entity_stream, split_mix_64};
import package::lib::time::{Time};
import package::lib::wide::{wide_xor};
import package::queueing::places::{places, model_table};
import package::queueing::records::{parameters};
import word64::{Wide, wide, wide_multiply};

fn logarithm_row(number: u32) -> vec4<u32> { return model_table[places.logarithms + number]; }

fn law_at(number: u32) -> Law {
    let row = places.laws + 3u * number;
    let a = model_table[row];
    let b = model_table[row + 1u];
    // By word: where no law has a table the last word is not read.
    let more = row + 2u;
    return Law(
        wide(a.x, a.y), wide(a.z, a.w), wide(b.x, b.y), b.z, b.w, model_table[more].x, model_table[more].y,
    );
}

fn stream_key(copy: u32) -> Wide {
    let replication = wide(places.first + copy, 0u);
    return split_mix_64(wide_xor(parameters.key, wide_multiply(replication, wide(0x7f4a7c15u, 0x9e3779b9u))));
}

// A station, as visits see it: loaded once for all arrivals.
struct Site {
    id: u32,
    first_edge: u32,
    last_edge: u32,
    servers: u32,
    room: u32,            // tokens that may wait; NONE: any number
    place: u32,           // of its servers in annex
    exits: u32,           // of its replication in annex
    sums: u32,            // of the class that arrives, see queueing/classes
    increment: Wide,      // of its random stream
    law: Law,
}

fn site_of(id: u32) -> Site {
    let copy = id / places.each;
    let local = id - copy * places.each;
    let row = model_table[2u * local];
    let more = model_table[2u * local + 1u];
    let place = copy * places.servers_each + more.y;
    let exits = places.exits + 3u * copy * places.exits_each;
    let increment = entity_increment(stream_key(copy), local);
    return Site(id, row.x, row.y - 1u, row.w, more.x, place, exits, 0u, increment, law_at(row.z));
}

fn law_of(site: Site) -> Law { return site.law; }

fn initial_stream(id: u32) -> Stream {
    return entity_stream(stream_key(id / places.each), id % places.each);
}

fn initial_tokens(id: u32) -> vec2<u32> {
    let row = model_table[2u * (id % places.each) + 1u];
    return vec2<u32>(parameters.cells + id / places.each * places.tokens_each + row.z, row.w);
}

// The edge of a station that a draw takes: the first edge whose largest draw is not below it.
fn route(site: Site, draw: u32) -> u32 {
    var low = site.first_edge;
    var high = site.last_edge;
    while (low < high) {
        let middle = (low + high) / 2u;
        if (model_table[places.edges + middle].x < draw) { low = middle + 1u; } else { high = middle; }
    }
    return low;
}

fn delay_of(edge: u32) -> Time {
    let row = model_table[places.edges + edge];
    return wide(row.z, row.w);
}
