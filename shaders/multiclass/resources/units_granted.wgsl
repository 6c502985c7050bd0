// multiclass/resources/units_granted: which tokens get free units, and servers at stations that seize units with servers.
// Reads: parameters, model_table. Reads and writes: replication_state.

import absences::{is_ready_at, rest, takes_ready};
import server_schedule::{has_server, servers_of};
import full::{blocked_at};
import package::lib::time::{Time};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::queues::lists::{first_in_lists};
import package::multiclass::queues::waiting::{Guest, guest, join_queue, stop_waiting, take_next};
import package::multiclass::resources::rules::{KEEPS, LOSES, seizing_of, seizing_station};
import package::multiclass::resources::units::{outside, unit_rule};
import package::multiclass::resources::units_taken::{are_free, held_number, take_units};
import package::multiclass::state::{mine};
import package::multiclass::stations::rules::{OF_LOWER, level_of, station_rules};
import package::multiclass::stations::interruptions::{interrupts};
import package::multiclass::stations::station::{close_station, open_station, server_counts, site, station_counts};
import package::multiclass::stations::visits::{ends_patience};
import package::multiclass::tokens::{CLASS, INTERRUPTED, OUTSIDE, links_of, numbers_of, set_about, times_of};
import preemption::{first_preempting, first_pushing, preempter, preempts};
import word64::{wide_less};

// The token that got a server, or NONE.
var<private> granted_token: u32;
// Whether servers of stations that seize rest now: they do so behind all grants.
var<private> rests_now: bool;
// Whether a token may wait at a station that seizes, behind all grants.
var<private> somebody_lacks: bool;

// Whether a server of a station that is not open is free for a waiting token.
fn has_server_at(id: u32) -> bool {
    let all = station_rules(id).servers;
    if (all == NONE) { return true; }
    let servers = server_counts(id);
    return servers.serving + blocked_at(id) + servers.away < servers_of(all, servers.servers) && is_ready_at(id, servers.ready);
}

// The first token of a station for which there is all that it waits for, or NONE.
fn granted_at(id: u32) -> u32 {
    let rule = seizing_of(id);
    let are_there = are_free(rule);
    if (rule.is_early != 0u) {
        if (!are_there) { return NONE; }
        return first_in_lists(id, plan.level_count, 0u);
    }
    if (!has_server_at(id)) { return NONE; }
    if (!are_there && (rule.about & KEEPS) == 0u) { return first_preempting(id, rule); }
    return first_in_lists(id, 0u, select(INTERRUPTED, 0u, are_there));
}

// Of several stations the one whose token has the higher priority, then has come earlier.
fn next_grant() -> bool {
    // No grants before all tokens of time 0 are there.
    if (mine.initial < plan.initial_rows) { return false; }
    somebody_lacks = false;
    var best = preempter();
    // Between two interruptions nobody else is granted anything.
    if (best != NONE) { return grant_at(held_number(best, 0u), best); }
    var at = 0u;
    var best_level = 0u;
    var best_arrived: Time;
    for (var number = 0u; number < plan.seizing_count; number += 1u) {
        let id = seizing_station(number);
        var token = granted_at(id);
        if (token == NONE) { token = first_pushing(id); }
        if (token == NONE) {
            somebody_lacks = somebody_lacks || station_counts(id).present > server_counts(id).serving;
            continue;
        }
        let level = level_of(links_of(token).about & CLASS);
        let arrived = times_of(token).arrived;
        if (best == NONE || level < best_level || (level == best_level && wide_less(arrived, best_arrived))) {
            best = token;
            at = id;
            best_level = level;
            best_arrived = arrived;
        }
    }
    if (best == NONE) {
        rest_all();
        return false;
    }
    return grant_at(at, best);
}

// Grants a token what it waits for at a station, or interrupts a service that is in its way. Returns true.
fn grant_at(at: u32, token: u32) -> bool {
    open_station(at);
    granted_token = NONE;
    if (!preempts(token)) { granted_token = grant(token); }
    return true;
}

// Grants what a token waits for at the open station. Returns the token where it has a server, else NONE.
fn grant(token: u32) -> u32 {
    let links = links_of(token);
    let level = level_of(links.about & CLASS);
    if (unit_rule.is_early == 0u && are_free(unit_rule)) {
        takes_ready();
        let next = take_next();
        if ((guest.about & INTERRUPTED) == 0u || (unit_rule.about & LOSES) != 0u) { take_units(next); }
        ends_patience(next);
        return next;
    }
    stop_waiting(token);
    guest = Guest(links.about & ~OUTSIDE, links.edge, numbers_of(token).arrival);
    if (unit_rule.is_early == 0u) {
        takes_ready();
        return token;
    }
    outside -= 1u;
    set_about(token, guest.about, guest.edge);
    take_units(token);
    if (has_server() || (site.rules.preemption >= OF_LOWER && interrupts(token, level))) {
        ends_patience(token);
        return token;
    }
    join_queue(token, guest.about, guest.edge);
    return NONE;
}

fn rest_all() {
    rests_now = true;
    for (var number = 0u; number < plan.seizing_count; number += 1u) {
        open_station(seizing_station(number));
        rest();
        close_station();
    }
    rests_now = false;
}
