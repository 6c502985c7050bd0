// multiclass/station: the station that something happens at.
//
//   0    the state of its stream
//   1    arrivals; services that have begun or gone on
//   2    tokens that have left for somewhere; tokens here
//   3    tokens in service; servers at work
//   4    of each priority the first and the last token that waits; behind them what full_blocks and sharing have
//
// Reads and writes: held.

import duty::{servers_of};
import full::{close_room, open_room};
import package::lib::faults::{raise};
import package::lib::pcg32::{Stream};
import package::lib::stream::{entity_increment};
import package::multiclass::parameters::{NONE, parameters, structure};
import package::multiclass::state::{mine, pair_at, set_pair, set_wide, wide_at};

struct Station {
    id: u32,
    words: u32,            // where they lie
    stream: Stream,
    arrivals: u32,
    services: u32,
    departures: u32,
    present: u32,
    serving: u32,
    rules: vec4<u32>,      // servers at work, capacity, order, preemption
}

const FAULT_COUNT: u32 = 1u;

var<private> site: Station;

fn open_station(id: u32) {
    let words = parameters.stations_at + id * parameters.station_words;
    let b = pair_at(words + 1u);
    let c = pair_at(words + 2u);
    let d = pair_at(words + 3u);
    let stream = Stream(wide_at(words), entity_increment(mine.key, id));
    site = Station(id, words, stream, b.x, b.y, c.x, c.y, d.x, structure[2u * id]);
    site.rules.x = servers_of(site.rules.x, d.y);
    open_room();
}

fn close_station() {
    // Numbers of 32 bits that are about to pass their range.
    if (max(max(site.arrivals, site.services), site.departures) == NONE) { raise(FAULT_COUNT, site.id); }
    set_wide(site.words, site.stream.state);
    set_pair(site.words + 1u, site.arrivals, site.services);
    set_pair(site.words + 2u, site.departures, site.present);
    set_pair(site.words + 3u, site.serving, site.rules.x);
    close_room();
}
