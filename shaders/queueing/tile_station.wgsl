// queueing/tile_station: a station while its tile is at work: loaded and stored.

import package::lib::time::{Time, never};
import package::lib::wide::{wide_minimum};
import package::queueing::ahead::{Ahead};
import package::queueing::appoint_round::{pending, working};
import package::queueing::neighbours::{Others};
import package::queueing::records::{Station, links};
import package::queueing::station::{pair};
import package::queueing::station_short::{load_station, store_station};
import package::queueing::tile_border::{inbox_of};
import package::queueing::tile_list::{join, look_up};
import package::queueing::tile_records::{edges_place, prospects, store_ahead};
import package::queueing::token_links::{arrival_of, link_of, set_link};
import constants::{PARITY};
import word64::{wide, wide_high, wide_low};

struct Now {
    station: Station,
    ahead: Ahead,
    next: Others,   // the bounds that it knew in the last turn
    first: u32,     // the link of the first token on its way here, and its arrival
    head: Time,
    second: u32,    // the same of the second token
    after: Time,
    rest: u32,      // the link of the third token; from there on links are in memory
    linked: u32,    // whether the link of the second token is
    worked: u32,
    arrived: u32,   // what other tiles sent: a list
}

// All words are requested before any of them is used.
fn load(id: u32) -> Now {
    let word = atomicLoad(&links[edges_place(id)]);
    let list = prospects[4u * id + 3u];
    let known = prospects[4u * id + 2u];
    let a = prospects[4u * id];
    let b = prospects[4u * id + 1u];
    var now: Now;
    now.arrived = atomicLoad(&links[inbox_of(PARITY, id)]);
    now.station = load_station(id);
    now.ahead = Ahead(wide(a.x, a.y), wide(a.z, a.w), wide(b.x, b.y), wide(b.z, b.w), word & 0x03030303u);
    now.next = Others(wide(known.x, known.y), (word >> 2u) & 15u, wide(known.z, known.w));
    now.head = wide(list.x, list.y);
    now.first = list.z;
    now.second = list.w;
    now.after = never();
    now.rest = 0u;
    now.linked = 1u;
    now.worked = 0u;
    return now;
}

// Takes in what other tiles sent in the last round.
fn arrive(id: u32, now: ptr<function, Now>) {
    // One test of both words: neither load waits for the other.
    if (((*now).arrived | (*now).second) == 0u) { return; }
    look_up(now);
    var arrived = (*now).arrived;
    if (arrived == 0u) { return; }
    atomicStore(&links[inbox_of(PARITY, id)], 0u);
    while (arrived != 0u) {
        let token = arrived - 1u;
        let time = arrival_of(token);
        arrived = link_of(token);
        join(now, token, time);
    }
}

fn end(id: u32, now: Now) {
    pending = wide_minimum(pending, now.head);
    prospects[4u * id + 2u] = pair(now.next.time, now.next.beyond);
    prospects[4u * id + 3u] = vec4<u32>(wide_low(now.head), wide_high(now.head), now.first, now.second);
    if (now.linked == 0u && now.second != 0u) { set_link(now.second - 1u, now.rest); }
    atomicStore(&links[edges_place(id)], now.ahead.edges | (now.next.edges << 2u));
    if (now.worked == 0u) { return; }
    working += 1u;
    store_station(id, now.station);
    store_ahead(id, now.ahead);
}
