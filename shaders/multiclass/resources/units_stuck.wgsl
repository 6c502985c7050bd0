// multiclass/resources/units_stuck: tokens in a deadlock over units. Stations and resources that may go on are marked: a station behind
// its number of tokens outside the line, a resource in the lowest bit of its second row. A station that only its tokens make go on may do
// so if a token is served there, or if a marked node may go on that its tokens wait for; a resource if one of its holders does not wait,
// or is at a station that may go on.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import absences::{comes_to_some};
import server_schedule::{most_servers_of, servers_of};
import aside::{aside_at};
import full::{awaits_marked, blocked_at, coming_of};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::pending::{PATIENCE, PHASE, event_of};
import package::multiclass::resources::resources::{ResourceUse, free_units, more_may_come, resource_use, set_resource_use};
import package::multiclass::resources::rules::{need_at, releasing_of, seizing_of, seizing_station};
import package::multiclass::resources::units::{ASIDE, HELD, outside_at};
import package::multiclass::resources::units_granted::{granted_at, has_server_at, somebody_lacks};
import package::multiclass::resources::units_taken::{held_number};
import package::multiclass::rows::{front_at, set_front, station_at};
import package::multiclass::state::{mine};
import package::multiclass::stations::rules::{station_rules};
import package::multiclass::stations::station::{server_counts, site, station_counts};
import package::multiclass::tokens::{OUTSIDE, links_of, numbers_of};
import shares::{shared_servers};

const GOES_ON: u32 = 1u;
const LACKS: u32 = 2u;

// The mark of a station whose tokens may lose their patience.
const IMPATIENT: u32 = 2u;

// Of a station that is not open: GOES_ON where it serves a waiting token as soon as it is looked at, LACKS where its first token waits for
// units alone.
fn look_at(id: u32) -> u32 {
    let rule = seizing_of(id);
    let servers = server_counts(id);
    let taken = servers.serving + blocked_at(id);
    let outside = outside_at(id);
    let waits = station_counts(id).present > taken + outside + aside_at(id);
    if (granted_at(id) != NONE) { return GOES_ON; }
    if (rule.is_early != 0u) {
        if (waits && taken < servers_of(station_rules(id).servers, servers.servers)) { return GOES_ON; }
        return select(0u, LACKS, outside != 0u);
    }
    return select(0u, LACKS, rule.count != 0u && waits && has_server_at(id));
}

// The first mark of a station: GOES_ON also where something else makes it go on.
fn first_mark(id: u32) -> u32 {
    let mark = look_at(id);
    let servers = server_counts(id);
    let blocked = blocked_at(id);
    let waiting = station_counts(id).present - servers.serving - blocked - outside_at(id) - aside_at(id);
    let releasing = releasing_of(id);
    // A waiting token is served by one more server, unless it lacks units, or loses its patience.
    let changes = waiting != 0u && blocked < most_servers_of(id, releasing.most_servers) && (seizing_of(id).is_early != 0u || mark != LACKS);
    let leaves = releasing.goes_on == IMPATIENT && waiting + outside_at(id) != 0u;
    let is_still = aside_at(id) == 0u && releasing.goes_on != 0u && !changes && !leaves && servers.serving == 0u && coming_of(id) == 0u;
    let waits = is_still && !comes_to_some(servers.away, waiting) && (blocked != 0u || mark == LACKS);
    return mark | select(GOES_ON, 0u, waits);
}

// Whether a token that holds units does not wait.
fn is_busy(token: u32) -> bool {
    let at = held_number(token, 0u);
    if ((at & ASIDE) != 0u) { return true; }
    if ((at & HELD) == 0u && shared_servers(at) != 0u && (links_of(token).about & OUTSIDE) == 0u) { return true; }
    let place = numbers_of(token).place;
    if (place < plan.fixed || place >= mine.pending) { return false; }
    let event = event_of(place);
    // A blocked token has no event until it is on its way.
    return event.token == token && (event.what & PHASE) != PATIENCE;
}

fn mark_at(id: u32) -> u32 { return station_at(id) + plan.outside; }
fn mark_of(id: u32) -> u32 { return front_at(mark_at(id)).y; }
fn set_mark(id: u32, mark: u32) { set_front(mark_at(id), outside_at(id), mark); }
fn is_marked(id: u32) -> bool { return (mark_of(id) & GOES_ON) != 0u; }
fn is_resource_marked(kind: u32) -> bool { return (resource_use(kind).off_mark & 1u) != 0u; }

fn mark_resource(kind: u32, value: bool) {
    let integral = resource_use(kind);
    set_resource_use(kind, ResourceUse(integral.used, integral.upper, (integral.off_mark & ~1u) | select(0u, 1u, value)));
}

// Whether a station waits for units of a resource that is marked.
fn lacks_marked(id: u32) -> bool {
    let rule = seizing_of(id);
    for (var need = rule.first; need < rule.first + rule.count; need += 1u) {
        let lacked = need_at(need);
        if (free_units(lacked.kind) < lacked.units && is_resource_marked(lacked.kind)) { return true; }
    }
    return false;
}

// Marks resources and stations that may go on since others do. Returns whether another one was marked.
fn spreads() -> bool {
    var has_more = false;
    for (var token = 0u; token < mine.used; token += 1u) {
        for (var kind = 0u; kind < plan.resources; kind += 1u) {
            if (held_number(token, 1u + kind) == 0u || is_resource_marked(kind)) { continue; }
            if (is_busy(token) || is_marked(held_number(token, 0u) & ~HELD)) {
                mark_resource(kind, true);
                has_more = true;
            }
        }
    }
    for (var id = 0u; id < plan.stations; id += 1u) {
        let mark = mark_of(id);
        if ((mark & GOES_ON) == 0u && (awaits_marked(id) || (mark == LACKS && lacks_marked(id)))) {
            set_mark(id, mark | GOES_ON);
            has_more = true;
        }
    }
    return has_more;
}

// A station in a deadlock: the station that was opened last, if it is suspected, or the first whose first token waits for units.
fn find_stuck(is_suspect: bool) -> u32 {
    if (!is_suspect && !somebody_lacks) { return NONE; }
    for (var id = 0u; id < plan.stations; id += 1u) { set_mark(id, first_mark(id)); }
    for (var kind = 0u; kind < plan.resources; kind += 1u) { mark_resource(kind, more_may_come(kind)); }
    while (spreads()) {}
    if (is_suspect) { return select(site.id, NONE, is_marked(site.id)); }
    for (var number = 0u; number < plan.seizing_count; number += 1u) {
        let id = seizing_station(number);
        if (mark_of(id) == LACKS) { return id; }
    }
    return NONE;
}
