// multiclass/resources/preemption: tokens of a higher priority take servers and units from tokens in service, where they seize both together:
// the twin of src/queueing/reference/oracle/preemption.rs. Services are interrupted one by one, until all is there.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import package::lib::wide::{wide_differs};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::pending::{DEPARTURE, event_of, hole};
import package::multiclass::queues::lists::{first_in_lists};
import package::multiclass::queues::waiting::{Guest, guest};
import package::multiclass::resources::resources::{free_units, resource_of};
import package::multiclass::resources::rules::{KEEPS, LOSES, PUSHES, Seizing, all_units_of, need_at, seizing_of};
import package::multiclass::resources::units::{ASIDE, HELD, unit_rule};
import package::multiclass::resources::units_granted::{has_server_at};
import package::multiclass::resources::units_taken::{are_free, held_number};
import package::multiclass::state::{mine};
import package::multiclass::stations::interruptions::{interrupts, paused};
import package::multiclass::stations::rules::{level_of};
import package::multiclass::stations::station::{open_station, server_counts, site};
import package::multiclass::tokens::{CLASS, is_interrupted, links_of, numbers_of, times_of};
import server_schedule::{gives_server};
import unit_changes::{given_freely};
import word64::{wide_less};

// The token for which services are being interrupted, plus 1: private variables begin with 0, which is no token then.
var<private> made_way_for: u32;

// Units of a resource that tokens in service lose to one of a higher priority; and who of these is interrupted first, or NONE.
struct Preempted { units: u32, last: u32 }

fn own_level(token: u32) -> u32 { return level_of(links_of(token).about & CLASS); }

// How many units of a resource a token loses that is interrupted at a station.
fn lost_units(id: u32, kind: u32) -> u32 {
    let rule = seizing_of(id);
    for (var number = rule.first; number < rule.first + rule.count && (rule.about & LOSES) != 0u; number += 1u) {
        if (need_at(number).kind == kind) { return need_at(number).units; }
    }
    return 0u;
}

fn is_in_service(token: u32, id: u32) -> bool {
    let place = numbers_of(token).place;
    let is_pending = place >= plan.fixed && place < mine.pending && place != hole;
    return is_pending && event_of(place).token == token && event_of(place).what == (DEPARTURE | id);
}

// Whether a token is interrupted before another one.
fn is_behind(token: u32, other: u32) -> bool {
    if (own_level(token) != own_level(other)) { return own_level(token) > own_level(other); }
    let arrived = times_of(token).arrived;
    let before = times_of(other).arrived;
    if (wide_differs(arrived, before)) { return wide_less(before, arrived); }
    let at = held_number(token, 0u);
    let other_at = held_number(other, 0u);
    return at > other_at || (at == other_at && numbers_of(token).arrival > numbers_of(other).arrival);
}

fn preempted(kind: u32, level: u32) -> Preempted {
    var all = Preempted(0u, NONE);
    for (var token = 0u; token < mine.used && all_units_of(kind).is_preemptive != 0u; token += 1u) {
        if (held_number(token, 1u + kind) == 0u) { continue; }
        let at = held_number(token, 0u);
        if ((at & (HELD | ASIDE)) != 0u || own_level(token) <= level || !is_in_service(token, at)) { continue; }
        let units = lost_units(at, kind);
        all.units += units;
        if (units != 0u && (all.last == NONE || is_behind(token, all.last))) { all.last = token; }
    }
    return all;
}

// Whether a token gets the units that it lacks from others.
fn may_preempt(rule: Seizing, token: u32) -> bool {
    if ((rule.about & LOSES) == 0u) { return false; }
    for (var number = rule.first; number < rule.first + rule.count; number += 1u) {
        let need = need_at(number);
        if (free_units(need.kind) >= need.units) { continue; }
        let others = preempted(need.kind, own_level(token));
        if (given_freely(resource_of(need.kind).free + others.units) < need.units) { return false; }
    }
    return true;
}

fn first_preempting(id: u32, rule: Seizing) -> u32 {
    let first = first_in_lists(id, 0u, 0u);
    return select(NONE, first, first != NONE && may_preempt(rule, first));
}

// Whether a token that waits at the open station interrupts a service there, which is noted.
fn pushes(token: u32) -> bool {
    guest = Guest(links_of(token).about, links_of(token).edge, numbers_of(token).arrival);
    return interrupts(token, own_level(token));
}

fn keeps_units(rule: Seizing, token: u32) -> bool { return (rule.about & KEEPS) != 0u && is_interrupted(links_of(token).about); }

fn first_pushing(id: u32) -> u32 {
    let rule = seizing_of(id);
    if ((rule.about & PUSHES) == 0u || has_server_at(id) || server_counts(id).serving == 0u) { return NONE; }
    let first = first_in_lists(id, 0u, 0u);
    if (first == NONE || !(keeps_units(rule, first) || are_free(rule) || may_preempt(rule, first))) { return NONE; }
    open_station(id);
    let granted = select(NONE, first, pushes(first));
    paused = NONE;
    return granted;
}

// 0 less 1 is NONE.
fn preempter() -> u32 { return made_way_for - 1u; }

fn preempts(token: u32) -> bool {
    let is_first = made_way_for == 0u;
    made_way_for = 0u;
    if ((unit_rule.about & (LOSES | PUSHES)) == 0u) { return false; }
    if (is_first && !has_server_at(site.id)) {
        _ = pushes(token);
    } else if (are_free(unit_rule) || (unit_rule.about & LOSES) == 0u) {
        return false;
    } else {
        var number = unit_rule.first;
        while (free_units(need_at(number).kind) >= need_at(number).units) { number += 1u; }
        paused = preempted(need_at(number).kind, own_level(token)).last;
        open_station(held_number(paused, 0u));
    }
    made_way_for = token + 1u;
    gives_server();
    return true;
}
