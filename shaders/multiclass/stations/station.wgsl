// multiclass/stations/station: the station at which an event happens. A station has a row with the state and the increment of its stream,
// one or two of the rows below, and for each list of its tokens one row (lists). Behind these are the words of holding, sharing, absences, units,
// forks and line_tree.
//
// Reads and writes: replication_state.

import constants::{KEEPS_SERVERS};
import absences::{away_servers, open_absences, ready_servers};
import server_schedule::{close_servers, servers_of};
import aside::{close_aside, open_aside};
import full::{close_room, open_room};
import groups::{open_groups};
import package::lib::faults::{raise};
import package::lib::pcg32::{Stream};
import package::multiclass::near::{as_near};
import package::multiclass::parameters::{NONE};
import package::multiclass::rows::{row_at, row_of, set_row, station_at};
import package::multiclass::stations::rules::{StationRules, station_rules};
import shares::{close_clock};
import units::{close_units, open_units};
import word64::{wide};

// Arrivals; services that have begun or gone on; tokens that have left for another place; tokens here.
struct StationCounts {
    arrivals: u32,
    services: u32,
    departures: u32,
    present: u32,
}

fn station_counts(id: u32) -> StationCounts {
    let row = row_at(station_at(id) + 1u);
    return StationCounts(row.x, row.y, row.z, row.w);
}

fn set_station_counts(words: u32, row: StationCounts) {
    set_row(words + 1u, vec4<u32>(row.arrivals, row.services, row.departures, row.present));
}

// Kept where they do not follow from the tokens here: tokens in service; servers at work; servers that set up or are away, and servers that serve waiting tokens at once
// (absences).
struct ServerCounts {
    serving: u32,
    servers: u32,
    away: u32,
    ready: u32,
}

fn server_counts(id: u32) -> ServerCounts {
    let row = row_at(station_at(id) + 2u);
    return ServerCounts(row.x, row.y, row.z, row.w);
}

fn set_server_counts(words: u32, row: ServerCounts) {
    set_row(words + 2u, vec4<u32>(row.serving, row.servers, row.away, row.ready));
}

struct Station {
    id: u32,
    words: u32,            // where its words lie
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
    let counts = station_counts(id);
    var servers = ServerCounts(min(counts.present, station_rules(id).servers), 0u, 0u, 0u);
    if (KEEPS_SERVERS) { servers = server_counts(id); }
    site = Station(id, words, Stream(wide(a.x, a.y), wide(a.z, a.w)), counts.arrivals, counts.services, counts.departures,
        counts.present, servers.serving, station_rules(id));
    site.rules.servers = servers_of(site.rules.servers, servers.servers);
    open_groups();
    open_absences(servers.away, servers.ready);
    open_room();
    open_units();
    open_aside();
}

fn close_station() {
    close_clock();
    close_servers();
    // Counts of 32 bits that are about to pass their range.
    if (max(max(site.arrivals, site.services), site.departures) == NONE) { raise(FAULT_COUNT, site.id); }
    let words = as_near(site.words);
    set_row(words, row_of(site.stream.state, site.stream.increment));
    set_station_counts(words, StationCounts(site.arrivals, site.services, site.departures, site.present));
    if (KEEPS_SERVERS) {
        set_server_counts(words, ServerCounts(site.serving, site.rules.servers, away_servers(), ready_servers()));
    }
    close_room();
    close_units();
    close_aside();
}
