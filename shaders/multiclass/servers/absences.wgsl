// multiclass/servers/absences: free servers set up where tokens wait, or go away where none wait: the twin of `rest` in
// src/queueing/reference/oracle/servers.rs. A station has in its row `absence` how many absences there have been, and how long they were. The
// event of an absence has its number.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import aside::{aside_here};
import full::{taken};
import idle::{begin_idle, counts_idle, is_off, stays_idle};
import package::lib::time::{never};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::pending::{RETURN, event_of, set_event, set_event_time};
import package::multiclass::servers::absence_rows::{absences_at, notes_leave, notes_return};
import package::multiclass::servers::rules::{Absences, absences_of};
import package::multiclass::state::{mine};
import package::multiclass::stations::rules::{first_tokens_at};
import package::multiclass::stations::service::{drawn_time};
import package::multiclass::stations::station::{close_station, open_station, site};
import standby::{comes_from_standby};
import units::{outside_line, rests_later, seizes};
import word64::{wide_add, wide_high};

// Servers of the open station that set up or are away, and servers that serve the next waiting token at once.
var<private> away: u32;
var<private> ready: u32;

const SETS_UP: u32 = 1u;
const HAS_TOKENS: u32 = 2u;
const CALLS_OFF: u32 = 4u;
const ON_STANDBY: u32 = 8u;

fn open_absences(absent: u32, at_once: u32) {
    away = absent;
    ready = at_once;
}

fn away_servers() -> u32 { return away; }
fn ready_servers() -> u32 { return ready; }

// At time 0, without tokens.
fn begin_absences(id: u32) {
    let rule = absences_of(id);
    if (rule.law == NONE) { return; }
    for (var server = 0u; server < rule.servers; server += 1u) { set_event(rule.place + server, RETURN | id, 0u, never()); }
    begin_idle(id, rule);
    if ((rule.about & HAS_TOKENS) != 0u) { return; }
    open_station(id);
    rest();
    close_station();
}

fn frees_server() { ready += 1u; }

// A server is away no longer.
fn ends_absence(place: u32) {
    set_event_time(place, never());
    notes_return(site.words + plan.absence);
    away -= 1u;
}

fn come_back(place: u32) {
    let rule = absences_of(site.id);
    if ((rule.about & ON_STANDBY) != 0u) {
        set_event_time(place, never());
        comes_from_standby();
    } else if (is_off(rule, place)) {
        ready -= 1u;
    } else {
        ends_absence(place);
        ready += 1u;
    }
}

// Set-ups for which nobody waits any longer are called off, the last to begin first.
fn calls_off(rule: Absences, waiting: u32) {
    while (away != 0u && away + ready > waiting) {
        var last = NONE;
        for (var place = rule.place; place < rule.place + rule.servers; place += 1u) {
            let event = event_of(place);
            if (wide_high(event.time) == NONE) { continue; }
            if (last == NONE || event.token > event_of(last).token) { last = place; }
        }
        ends_absence(last);
    }
}

fn is_ready_at(id: u32, at_once: u32) -> bool {
    let rule = absences_of(id);
    return at_once != 0u || rule.law == NONE || (rule.about & SETS_UP) == 0u;
}

// Whether a server serves the next token as it is, without a set-up.
fn is_ready() -> bool { return is_ready_at(site.id, ready); }
fn takes_ready() { ready -= min(ready, 1u); }

fn comes_to_some(absent: u32, waiting: u32) -> bool { return absent != 0u && waiting != 0u; }

fn free_servers() -> u32 {
    let busy = taken() + away;
    return site.rules.servers - min(busy, site.rules.servers);
}

// Whether tokens of time 0 are still to come to the open station: until then its servers do not go away.
fn is_filling() -> bool {
    return mine.initial < plan.initial_rows && first_tokens_at(mine.initial).station == site.id;
}

fn rest() {
    if (rests_later()) { return; }
    let waiting = site.present - taken() - outside_line() - aside_here();
    ready = select(min(ready, free_servers()), 0u, waiting == 0u && !stays_idle());
    let rule = absences_of(site.id);
    let is_setup = (rule.about & SETS_UP) != 0u;
    if (rule.law == NONE || (rule.about & ON_STANDBY) != 0u || ((!is_setup || seizes()) && is_filling())) { return; }
    var place = rule.place;
    while (free_servers() > ready && select(waiting == 0u, away + ready < waiting, is_setup)) {
        // There is a place for every server.
        while (wide_high(event_of(place).time) != NONE) { place += 1u; }
        let words = site.words + plan.absence;
        let number = absences_at(words).count;
        notes_leave(words, 1u);
        set_event(place, RETURN | site.id, number, wide_add(mine.now, drawn_time(rule.law)));
        away += 1u;
    }
    if ((rule.about & CALLS_OFF) != 0u) { calls_off(rule, waiting); }
    counts_idle(rule, select(ready, 0u, waiting != 0u));
}
