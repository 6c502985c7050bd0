// queueing/initialize_tiles (once, after queueing/initialize_stations or restore_stations; one thread a station)
// What: draws the next visits and sends on the tokens that are there when the run begins. Published times are 0 yet.
// Reads: next_event. Reads and writes: stations, tokens. Writes: links, prospects.
// Afterwards: as after a round that PARITY 0 follows.

import package::engine::schedule::{next_event};
import package::lib::time::{never};
import package::queueing::ahead::{AHEAD, Ahead, moved_up};
import package::queueing::records::{links, parameters, tokens};
import package::queueing::station_short::{load_station, store_station};
import package::queueing::tile_records::{edges_place, prospects, store_ahead};
import package::queueing::token_links::{push};
import package::queueing::torus::{site_of};
import package::queueing::torus_destination::{neighbour};
import constants::{WORKGROUP};
import first_tokens::{initial_tokens};
import word64::{wide, wide_high, wide_less, wide_low};

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= parameters.stations) { return; }
    let here = initial_tokens(id);
    for (var token = here.x; token < here.x + here.y; token += 1u) {
        let edge = tokens[2u * token + 1u].y;
        tokens[2u * token + 1u] = vec4<u32>(id, 0u, wide_low(next_event[token]), wide_high(next_event[token]));
        if (wide_less(next_event[token], never())) { push(neighbour(id, edge), token); }
    }
    var station = load_station(id);
    var state = station.state;
    let zero = wide(0u, 0u);
    var ahead = Ahead(zero, zero, zero, zero, 0u);
    for (var visit = 0u; visit < AHEAD; visit += 1u) { ahead = moved_up(ahead, site_of(id), &state); }
    station.state = state;
    store_station(id, station);
    store_ahead(id, ahead);
    atomicStore(&links[edges_place(id)], ahead.edges);
    prospects[4u * id + 3u] = vec4<u32>(0xffffffffu, 0xffffffffu, 0u, 0u);
}
