// multiclass/stations/station: the station that something happens at.
//
//   0    the state of its stream; 1: its increment
//   2    arrivals; services that have begun or gone on
//   3    tokens that have left for somewhere; tokens here
//   4    tokens in service; servers at work
//   5    servers that set up or are away, and those that serve who waits at once (absences)
//   6    of each priority a row about who waits, see waiting; behind them what blocking and sharing have
//
// Reads and writes: held.

import absences::{away_servers, open_absences, ready_servers};
import duty::{close_servers, servers_of};
import forks::{close_aside, open_aside};
import full::{close_room, open_room};
import package::lib::faults::{raise};
import package::lib::pcg32::{Stream};
import package::multiclass::parameters::{NONE};
import package::multiclass::state::{row_at, row_of, set_row, station_at};
import package::multiclass::stations::rules::{StationRules, station_rules};
import shares::{close_clock};
import units::{close_units, open_units};
import word64::{wide};

struct Station {
    id: u32,
    words: u32,            // where they lie
    stream: Stream,
    arrivals: u32,
    services: u32,
    departures: u32,
    present: u32,
    serving: u32,
    rules: StationRules,   // with the servers at work
}

const FAULT_COUNT: u32 = 1u;

var<private> site: Station;

fn open_station(id: u32) {
    let words = station_at(id);
    let a = row_at(words);
    let b = row_at(words + 1u);
    let c = row_at(words + 2u);
    site = Station(id, words, Stream(wide(a.x, a.y), wide(a.z, a.w)), b.x, b.y, b.z, b.w, c.x, station_rules(id));
    site.rules.servers = servers_of(site.rules.servers, c.y);
    open_absences(c.z, c.w);
    open_room();
    open_units();
    open_aside();
}

fn close_station() {
    close_clock();
    close_servers();
    // Numbers of 32 bits that are about to pass their range.
    if (max(max(site.arrivals, site.services), site.departures) == NONE) { raise(FAULT_COUNT, site.id); }
    set_row(site.words, row_of(site.stream.state, site.stream.increment));
    set_row(site.words + 1u, vec4<u32>(site.arrivals, site.services, site.departures, site.present));
    set_row(site.words + 2u, vec4<u32>(site.serving, site.rules.servers, away_servers(), ready_servers()));
    close_room();
    close_units();
    close_aside();
}
