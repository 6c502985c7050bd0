// multiclass/resources/units: tokens need units of resources beside a server: the twin of src/queueing/reference/oracle/resources.rs. A
// station has in its row `outside` how many tokens stand outside the line.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import fold::{folds_units, moves_to_bin};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::pending::{FIRST_TOKENS, PHASE, due};
import package::multiclass::resources::resources::{ResourceUse, resource_at, set_resource_use};
import package::multiclass::resources::rules::{LOSES, Seizing, all_units_of, releasing_of, seizing_of};
import package::multiclass::resources::units_granted::{granted_token, next_grant, rests_now};
import package::multiclass::resources::units_stuck::{find_stuck};
import package::multiclass::resources::units_taken::{give_back, give_some, held_number, set_held};
import package::multiclass::rows::{front_at, set_front, set_row, station_at};
import package::multiclass::stations::station::{site};
import package::multiclass::tokens::{OUTSIDE};
import unit_changes::{units_off_at_first};
import word64::{wide};

const HELD: u32 = 0x80000000u;
const ASIDE: u32 = 0x40000000u;

// Of the open station.
var<private> unit_rule: Seizing;
var<private> outside: u32;

fn outside_at(id: u32) -> u32 { return front_at(station_at(id) + plan.outside).x; }
fn outside_line() -> u32 { return outside; }

fn open_units() {
    unit_rule = seizing_of(site.id);
    outside = front_at(site.words + plan.outside).x;
}

fn close_units() { set_front(site.words + plan.outside, outside, 0u); }

fn begin_units() {
    for (var kind = 0u; kind < plan.resources; kind += 1u) {
        let all = all_units_of(kind);
        let off = units_off_at_first(kind);
        set_row(resource_at(kind), vec4<u32>(all.stock - off, 0u, 0u, 0u));
        if (off != 0u) { set_resource_use(kind, ResourceUse(wide(0u, 0u), 0u, off << 1u)); }
        if (all.stock == all.units) { continue; }
        moves_to_bin();
        folds_units(kind, all.units - all.stock, true);
    }
}

fn divides_events() -> bool { return true; }

fn seizes() -> bool { return unit_rule.count != 0u; }
fn seizes_at_service() -> bool { return unit_rule.count != 0u && unit_rule.is_early == 0u; }
fn rests_later() -> bool { return seizes_at_service() && !rests_now && (due.what & PHASE) != FIRST_TOKENS; }

fn stays_at(token: u32) -> u32 {
    set_held(token, 0u, site.id);
    if (!seizes() || unit_rule.is_early == 0u) { return 0u; }
    outside += 1u;
    return OUTSIDE;
}

fn stays_held(token: u32) { set_held(token, 0u, site.id | HELD); }
fn stays_served(token: u32) { set_held(token, 0u, site.id); }

// A token waits for its siblings at the open station. Its units become another token's.
fn stands_aside(token: u32) { set_held(token, 0u, site.id | ASIDE); }

fn pass_units(token: u32, other: u32) {
    for (var kind = 1u; kind <= plan.resources; kind += 1u) {
        set_held(other, kind, held_number(other, kind) + held_number(token, kind));
        set_held(token, kind, 0u);
    }
}

fn line_of(about: u32) -> u32 { return select(0u, plan.level_count, (about & OUTSIDE) != 0u); }

fn gives_up_units(token: u32, about: u32) {
    if ((about & OUTSIDE) != 0u) {
        outside -= 1u;
    } else if (unit_rule.is_early != 0u) {
        give_some(token, unit_rule.first, unit_rule.count);
    }
}

// A token that holds a server without service waits for one again.
fn puts_back(token: u32, is_begun: bool) {
    if (is_begun) { loses_units(token); } else if (seizes_at_service()) { give_some(token, unit_rule.first, unit_rule.count); }
}

// The service of a token of the open station is interrupted.
fn loses_units(token: u32) {
    if ((unit_rule.about & LOSES) != 0u) { give_some(token, unit_rule.first, unit_rule.count); }
}

fn gives_units(token: u32) {
    let releasing = releasing_of(site.id);
    give_some(token, releasing.first, releasing.count);
}

fn gives_all_units(token: u32) {
    for (var kind = 0u; kind < plan.resources; kind += 1u) { give_back(token, kind, NONE); }
}

fn grants_next() -> bool { return next_grant(); }
fn granted() -> u32 { return granted_token; }
fn standing(is_suspect: bool) -> u32 { return find_stuck(is_suspect); }
