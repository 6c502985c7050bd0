// multiclass/servers/standby: servers come when the line is long, and go when it is short: the twin of Oracle::calls_standby and
// Oracle::leaves_standby. They are counted as absences are.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import package::multiclass::parameters::{NONE, model_row, plan};
import package::multiclass::pending::{RETURN, event_of, set_event};
import package::multiclass::rows::{station_at};
import package::multiclass::servers::absence_rows::{notes_leave, notes_return};
import package::multiclass::servers::absences::{away};
import package::multiclass::servers::rules::{absences_of};
import package::multiclass::state::{mine};
import package::multiclass::stations::service::{drawn_time};
import package::multiclass::stations::station::{site};
import word64::{wide_add, wide_high};

// How many servers are on standby; they come once so many wait, and go when a service ends and at most so many wait.
struct Standby {
    servers: u32,
    comes_at: u32,
    goes_at: u32,
}

fn standby_of(id: u32) -> Standby {
    let row = model_row(plan.absences + plan.stations + id);
    return Standby(row.x, row.y, row.z);
}

// Servers are away from now on.
fn go_away(words: u32, servers: u32) {
    for (var server = 0u; server < servers; server += 1u) { notes_leave(words, 0u); }
}

fn begin_standby(id: u32) -> u32 {
    let servers = standby_of(id).servers;
    go_away(station_at(id) + plan.absence, servers);
    return servers;
}

fn waiting_here() -> u32 { return site.present - site.serving; }

fn leaves_standby() {
    let standby = standby_of(site.id);
    if (standby.servers == 0u || away != 0u || waiting_here() > standby.goes_at) { return; }
    go_away(site.words + plan.absence, standby.servers);
    away = standby.servers;
}

fn calls_standby() {
    let standby = standby_of(site.id);
    if (standby.servers == 0u || away == 0u || waiting_here() < standby.comes_at) { return; }
    let rule = absences_of(site.id);
    if (rule.law == NONE) {
        comes_from_standby();
    } else if (wide_high(event_of(rule.place).time) == NONE) {
        set_event(rule.place, RETURN | site.id, 0u, wide_add(mine.now, drawn_time(rule.law)));
    }
}

fn comes_from_standby() {
    let words = site.words + plan.absence;
    for (; away != 0u; away -= 1u) { notes_return(words); }
}
