// multiclass/servers/changing: the number of a station's servers changes with shifts, failures and repairs, set-up times and vacations.
// The number is kept with the station. An event of a shift has the place of the shift in force.
// Reads and writes: replication_state.

import absences::{away_servers, come_back, frees_server, is_ready, rest, takes_ready};
import full::{taken};
import breakdowns::{breaks_down, draws_breakdown, next_paused_of};
import decisions::{servers_decided, waits_for_decision};
import groups::{begin_group_shift, group_serves, has_groups};
import package::lib::pcg32::{Stream};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::pending::{Event, FAILURE, PHASE, RETURN, SHIFT, number_of_token, set_event};
import package::multiclass::rows::{station_at};
import package::multiclass::servers::downtime::{count_downtime};
import package::multiclass::servers::failures::{begin_failures, change_server, draw_change, has_failed, in_order, pauses_rest, shift_of};
import package::multiclass::servers::rules::{INTERRUPTS, shift_at, shift_end, shifts_of};
import package::multiclass::stations::rules::{station_rules};
import package::multiclass::stations::interruptions::{last_served};
import package::multiclass::stations::station::{ServerCounts, set_server_counts, site};
import package::multiclass::stations::visits::{call_next};
import standby::{begin_standby, calls_standby, leaves_standby};
import unit_changes::{begin_unit_changes, changes_units};
import walks::{comes_to_class, walks_here};

// Opens the servers of a station at time 0.
fn begin_servers(id: u32, stream: ptr<function, Stream>) {
    let shifts = shifts_of(id);
    var servers = station_rules(id).servers;
    if (shifts.count != 0u) {
        servers = shift_at(shifts.first).servers;
        set_event(shifts.place, SHIFT | id, 0u, shift_end(shifts.first));
    }
    begin_failures(id, stream);
    begin_unit_changes(id, stream);
    set_server_counts(station_at(id), ServerCounts(0u, servers, begin_standby(id), 0u));
}

fn servers_of(all: u32, kept: u32) -> u32 { return kept; }

fn close_servers() { count_downtime(); }

fn most_servers_of(id: u32, most: u32) -> u32 {
    let shifts = shifts_of(id);
    if (shifts.count == 0u) { return most; }
    return shift_at(shifts.first + shift_of(shifts)).most;
}

fn is_change(place: u32) -> bool { return place > plan.sources && place < plan.fixed; }

// The last token in the order of service without a server, or NONE.
fn next_paused() -> u32 {
    if (has_groups()) { return next_paused_of(); }
    if (!pauses_rest || taken() <= site.rules.servers) {
        pauses_rest = false;
        return NONE;
    }
    let last = last_served();
    pauses_rest = last != NONE;
    return last;
}

// A shift begins at the open station.
fn begin_shift(place: u32, event: Event) {
    if (has_groups()) {
        begin_group_shift(place, event);
        return;
    }
    let shifts = shifts_of(site.id);
    let next = select(event.token + 1u, 0u, event.token + 1u == shifts.count);
    set_event(place, event.what, next, shift_end(shifts.first + next));
    site.rules.servers = in_order(servers_decided(shift_at(shifts.first + next).servers));
    pauses_rest = shifts.kind == INTERRUPTS;
}

fn change(place: u32, event: Event) {
    if (changes_units(place, event)) { return; }
    let phase = event.what & PHASE;
    if (phase == SHIFT) {
        begin_shift(place, event);
    } else if (phase == FAILURE) {
        if (has_groups()) { group_serves(breaks_down(place, event)); } else { change_server(place, event); }
    } else if (has_groups()) {
        group_serves(comes_to_class(place, event.token));
    } else {
        come_back(place);
    }
}

fn end_change() {
    rest();
    walks_here();
    draws_breakdown();
    draw_change();
}

fn number_of(event: Event, place: u32) -> u32 {
    let phase = event.what & PHASE;
    if (phase == FAILURE || phase == RETURN) { return event.token; }
    // Groups of servers of a station have shifts of their own.
    if (phase == SHIFT) { return place; }
    return number_of_token(event.token, place);
}

fn has_server() -> bool {
    if (taken() + away_servers() >= site.rules.servers || !is_ready() || waits_for_decision()) { return false; }
    takes_ready();
    return true;
}

fn loses_servers() -> bool { return shifts_of(site.id).kind == INTERRUPTS || has_failed(); }

fn gives_server() {
    frees_server();
    leaves_standby();
}

fn follower() -> u32 { return NONE; }

// Serves waiting tokens, as far as there are servers.
fn next_served() -> u32 {
    if (has_groups()) { return call_next(); }
    calls_standby();
    if (taken() + away_servers() >= site.rules.servers || !is_ready() || waits_for_decision()) { return NONE; }
    let token = call_next();
    if (token != NONE) { takes_ready(); }
    return token;
}
