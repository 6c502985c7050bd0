// multiclass/blocking/exchanges_units: tokens change places in a network with resources, where a token that waits for room may wait for
// units besides: the twin of `cycle` and `check_units` in src/queueing/reference/oracle/. Nodes are stations and, behind them, resources.
// A station leads to the node that its first token waits for, a resource to the first station of its holders. Stations are looked at as
// in exchanges, and behind all grants the first station whose first token lacks units.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import server_schedule::{follower};
import package::multiclass::blocking::exchanges::{begin_exchange, exchange_next, find_circle, first_held, goal_of, next_exchanged};
import package::multiclass::blocking::holding::{held_links};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::resources::resources::{free_units};
import package::multiclass::resources::rules::{need_at, seizing_of};
import package::multiclass::resources::units::{HELD};
import package::multiclass::resources::units_granted::{granted_token, next_grant};
import package::multiclass::resources::units_stuck::{find_stuck};
import package::multiclass::resources::units_taken::{held_number};
import package::multiclass::state::{mine};
import package::multiclass::stations::station::{open_station, site};

// The station that was suspected last and the station that lacks units, where they wait for ever; or NONE.
var<private> suspected_stuck: u32;
var<private> lacking_stuck: u32;

// The first station whose tokens hold units of a resource.
fn first_holder(kind: u32) -> u32 {
    var first = NONE;
    for (var token = 0u; token < mine.used; token += 1u) {
        if (held_number(token, 1u + kind) != 0u) { first = min(first, held_number(token, 0u) & ~HELD); }
    }
    return first;
}

// The first resource of which a station lacks units.
fn first_lacking(id: u32) -> u32 {
    let rule = seizing_of(id);
    var first = NONE;
    for (var number = rule.first; number < rule.first + rule.count; number += 1u) {
        let need = need_at(number);
        if (free_units(need.kind) < need.units) { first = min(first, need.kind); }
    }
    return first;
}

// The node that a node waits for; the node itself, where nobody holds units of a resource.
fn next_node(node: u32) -> u32 {
    if (node >= plan.stations) {
        let holder = first_holder(node - plan.stations);
        return select(holder, node, holder == NONE);
    }
    let token = first_held(node);
    if (token != NONE) { return goal_of(token); }
    return plan.stations + first_lacking(node);
}

// The station at which the way from another station enters the circle that it leads to; NONE where that circle has a
// resource.
fn begin_of_circle(id: u32) -> u32 {
    let order = site.rules.order;
    var inside = id;
    for (var step = 0u; step < plan.stations + plan.resources; step += 1u) { inside = next_node(inside); }
    // `ahead` is ahead by the length of the circle.
    var ahead = id;
    var node = inside;
    var has_resource = false;
    loop {
        has_resource = has_resource || node >= plan.stations;
        ahead = next_node(ahead);
        node = next_node(node);
        if (node == inside) { break; }
    }
    var begin = id;
    while (begin != ahead) {
        begin = next_node(begin);
        ahead = next_node(ahead);
    }
    site.rules.order = order;
    return select(begin, NONE, has_resource);
}

// Whether the suspected station waits for ever, in a circle of stations or on the way to one, whose first station it
// opens.
fn waits_for_ever() -> bool {
    suspected_stuck = find_stuck(true);
    if (suspected_stuck == NONE) { return false; }
    let begin = begin_of_circle(site.id);
    if (begin == NONE) { return false; }
    open_station(begin);
    return true;
}

// Whether stations are looked at before those whose tokens lack units.
fn has_suspects() -> bool {
    for (var id = 0u; id < plan.stations; id += 1u) {
        if (held_links(id).is_suspect != 0u) { return true; }
    }
    return false;
}

// Behind all grants, tokens of the first station that lacks units for ever change places, if they may.
fn grants_next() -> bool {
    lacking_stuck = NONE;
    if (next_grant()) { return true; }
    if (mine.initial < plan.initial_rows || has_suspects()) { return false; }
    lacking_stuck = find_stuck(false);
    if (lacking_stuck == NONE) { return false; }
    let begin = begin_of_circle(lacking_stuck);
    if (begin == NONE) { return false; }
    begin_exchange(find_circle(begin));
    if (next_exchanged == 0u || !exchange_next()) { return false; }
    granted_token = follower();
    return true;
}

fn standing(is_suspect: bool) -> u32 { return select(lacking_stuck, suspected_stuck, is_suspect); }
