// multiclass/blocking/deadlock: whether stations wait for each other for ever.
// Reads: parameters, model_table. Reads and writes: replication_state.

import absences::{away_servers, comes_to_some, ready_servers};
import server_schedule::{most_servers_of};
import aside::{aside_at};
import package::multiclass::blocking::holding::{held_links, held_token, keep_counts, room_of, set_held_links};
import package::multiclass::blocking::rules::{blocking_of};
import package::multiclass::parameters::{NONE};
import package::multiclass::routes::rules::{edge_at};
import package::multiclass::stations::station::{
    ServerCounts, StationCounts, server_counts, set_server_counts, set_station_counts, site, station_counts,
};
import package::multiclass::tokens::{links_of};
import units::{outside_at};

// When a station may go on without a token in service, besides changes of its servers.
const GOES_ON: u32 = 0u;
const IMPATIENT: u32 = 2u;

// Whether a station that is not open makes no room before one of its blocked tokens can go.
fn is_stuck(id: u32) -> bool {
    let counts = room_of(id);
    let servers = server_counts(id);
    let waiting = station_counts(id).present - servers.serving - counts.blocked - outside_at(id);
    if (aside_at(id) != 0u || comes_to_some(servers.away, waiting)) { return false; }
    let rule = blocking_of(id);
    // Waiting tokens are served by one more server, or lose their patience.
    if (waiting != 0u && (rule.goes_on == IMPATIENT || counts.blocked < most_servers_of(id, rule.most_servers))) { return false; }
    return rule.goes_on != GOES_ON && counts.blocked != 0u && counts.coming == 0u && servers.serving == 0u;
}

// Whether the open station and all stations that its tokens wait for, directly or over others, make no room for each other.
// Stations that have been found are linked, the last one with itself.
fn is_deadlock() -> bool {
    keep_counts();
    if (site.serving != 0u) { return false; }
    set_server_counts(site.words, ServerCounts(0u, site.rules.servers, away_servers(), ready_servers()));
    set_station_counts(site.words, StationCounts(site.arrivals, site.services, site.departures, site.present));
    var last = site.id;
    var here = site.id;
    link(last, last);
    var all_stuck = true;
    loop {
        if (!is_stuck(here)) {
            all_stuck = false;
            break;
        }
        var token = held_links(here).last;
        while (token != NONE) {
            let goal = edge_at(links_of(token).edge).goal;
            if (held_links(goal).link == NONE) {
                link(last, goal);
                link(goal, goal);
                last = goal;
            }
            token = held_token(token).next;
        }
        if (here == last) { break; }
        here = held_links(here).link;
    }
    // Unlinks the stations again.
    here = site.id;
    loop {
        let next = held_links(here).link;
        link(here, NONE);
        if (next == here) { break; }
        here = next;
    }
    return all_stuck;
}

fn link(id: u32, next: u32) {
    set_held_links(id, held_links(id).last, next);
}
