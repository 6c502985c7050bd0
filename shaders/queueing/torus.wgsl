// queueing/torus: a topology without stored edges, with a single law.
// Mirrored in src/queueing/gpu/records.rs.

import package::lib::law::{Law};
import package::lib::pcg32::{Stream};
import package::lib::stream::{entity_increment, entity_stream};
import package::lib::time::{Time};
import package::queueing::records::{Visit, parameters};
import word64::{Wide, wide};

struct Torus {
    width: u32,
    height: u32,
    tokens_each: u32,
    unused: u32,
    law: Law,             // at a multiple of 16 bytes, as uniform buffers require
}

var<uniform> torus: Torus;

// A station, as visits see it.
struct Site {
    id: u32,
    increment: Wide,      // of its random stream
}

fn site_of(id: u32) -> Site { return Site(id, entity_increment(parameters.key, id)); }
fn law_of(site: Site) -> Law { return torus.law; }
fn route(site: Site, draw: u32) -> u32 { return draw >> 30u; }
fn delay_of(edge: u32) -> Time { return wide(0u, 0u); }

fn account_exit(id: u32, site: Site, visit: Visit) {}

// The first token at a station at time 0, and the number of its tokens.
fn initial_tokens(station: u32) -> vec2<u32> { return vec2<u32>(station * torus.tokens_each, torus.tokens_each); }
fn initial_stream(station: u32) -> Stream { return entity_stream(parameters.key, station); }
