// queueing/places: where everything of a network lies. Mirrored in src/queueing/gpu/network/layout.rs.
//
//   model_table, read-only, in words of 16 bytes:
//     2 a station   first edge, edge behind the last, law, servers | room, place, first token, tokens
//     1 an edge     largest draw that takes it, target, delay          (target: a station, or OUTSIDE plus a way
//                                                                   out; of a network of classes see
//                                                                   queueing/classes)
//     3 a law       see lib/law
//     2 a source    law, station, most tokens | start, how far it may be beyond
//                   the earliest arrival (by appointments)
//     1 a crowd     station, draws of a visit, whether it leads out, 0; of a front (queueing/front) instead of the last two the
//                   draws of an interval and its source plus 1
//     1 a row of the logarithm
//     1 a station   where distributions are recorded: its place among a replication's or NONE, levels, unused
//     1 a way out   where distributions are recorded: its sink, unused
//   annex, in words of 8 bytes, for each replication or entity:
//     a station     from `place` on: of several servers, when each is free, as a heap or, where crowds arrive, in order and
//                   with as many spare words; then, where `room` is neither 0 nor NONE, the starts of the last visits, as
//                   many as tokens may wait. 0 servers: as many as tokens, without a word
//     3 a way out   sum of the stays (96 bits), tokens, tokens from sources
//     2 an entity   of a token: when it came in, plus one tick (0: it was there at time 0) | the number of the source
//                   whose slot it has, plus 1
//     3 a source    state of its stream | tokens so far | link of a free slot, tokens that are still to come at a time
//     an observed station   see queueing/observed

import word64::{Wide, wide, wide_high, wide_low};

const CHUNK: u32 = 32u; // slots of a chunk of the pool

struct Places {
    each: u32,            // stations of a replication
    tokens_each: u32,     // tokens of a replication at time 0
    sources_each: u32,
    edges: u32,           // in model_table
    laws: u32,
    sources: u32,
    logarithms: u32,
    servers_each: u32,    // words of annex for the servers of a replication
    exits: u32,           // in annex
    exits_each: u32,
    births: u32,
    origins: u32,
    returned: u32,        // in links: the slots that came back to each source
    cursor: u32,          // in links: how many chunks of the pool are taken
    chunks: u32,          // of the pool
    first: u32,           // the number of the first replication
    crowds: u32,          // in model_table
    crowds_each: u32,     // crowds of a replication
    crowds_all: u32,
    heads: u32,           // in links: the words of queueing/crowds
    scratch: u32,         // in links: where crowds are put in order, behind the word that says how much of it is taken
    scratch_size: u32,    // a power of two
    observed: u32,        // in model_table: the words of queueing/observed for each station
    ways: u32,            // in model_table
    observations: u32,    // in annex
    observations_each: u32, // words of annex for the observed stations of a replication
    stays: u32,           // in links: the words of queueing/stays for each sink
    sinks_each: u32,      // sinks of a replication
    shift: u32,           // of the scale of recorded times
    bins: u32,            // of that scale
    classes: u32,         // 1 where there are none
    class_sums: u32,      // in annex, see queueing/classes
}

var<storage, read> model_table: array<vec4<u32>>;
var<storage, read_write> annex: array<vec2<u32>>;
var<uniform> places: Places;

fn annex_wide(place: u32) -> Wide {
    let word = annex[place];
    return wide(word.x, word.y);
}

fn set_annex(place: u32, value: Wide) { annex[place] = vec2<u32>(wide_low(value), wide_high(value)); }
