// multiclass/routes/held: what stations hold, by which routes are chosen.
// Reads: parameters, model_table, replication_state.

import class_counts::{tokens_of};
import constants::{KEEPS_SERVERS};
import aside::{aside_at, aside_here};
import full::{blocked_at, coming_of, taken};
import package::multiclass::routes::rules::{edge_at};
import package::multiclass::routes::ways_chosen::{FEWEST_WAITING, SHORTEST_LINE, SHORTEST_OF_CLASS};
import package::multiclass::stations::rules::{station_rules};
import package::multiclass::stations::station::{server_counts, site, station_counts};
import server_schedule::{servers_of};
import shares::{shared_servers};

// The tokens at a station, and on their way with reserved room.
fn present_at(id: u32) -> u32 {
    if (id == site.id) { return site.present + coming_of(id); }
    return station_counts(id).present + coming_of(id);
}

// The servers of a station at work.
fn servers_at(id: u32) -> u32 {
    if (shared_servers(id) != 0u) { return shared_servers(id); }
    if (id == site.id) { return site.rules.servers; }
    return servers_of(station_rules(id).servers, server_counts(id).servers);
}

// The tokens at a station minus its servers, plus 2^31 so that the number is not below 0; 0 where servers are infinite, or more than any number of tokens.
fn beyond_servers(id: u32, present: u32) -> u32 {
    let servers = servers_at(id);
    return select(0x80000000u + present - servers, 0u, servers >= 0x80000000u);
}

// The tokens in line at a station: of all there those that are not in service, not blocked and not waiting for siblings.
fn waiting_at(id: u32) -> u32 {
    if (id == site.id) { return site.present - taken() - aside_here(); }
    let present = station_counts(id).present;
    var serving = min(present, station_rules(id).servers);
    if (KEEPS_SERVERS) { serving = server_counts(id).serving; }
    return present - serving - blocked_at(id) - aside_at(id);
}

// The number by which a rule compares the station of a route; it takes the least.
fn held_by(rule: u32, edge: u32) -> u32 {
    let route = edge_at(edge);
    if (rule == FEWEST_WAITING) { return waiting_at(route.goal); }
    if (rule == SHORTEST_OF_CLASS) { return tokens_of(route.goal, route.becomes); }
    let present = present_at(route.goal);
    if (rule == SHORTEST_LINE) { return beyond_servers(route.goal, present); }
    return present;
}
