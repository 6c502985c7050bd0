// multiclass/servers/standby: servers come when the line is long, and go when it is short: the twin of Oracle::calls_standby and
// Oracle::leaves_standby. They are counted as absences are.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import package::lib::wide::{wide_maximum};
import package::multiclass::parameters::{model_row, plan};
import package::multiclass::rows::{station_at};
import package::multiclass::servers::absence_rows::{AbsenceTimes, absences_at, set_absences};
import package::multiclass::servers::absences::{away};
import package::multiclass::state::{mine};
import package::multiclass::stations::station::{site};
import package::multiclass::statistics::annex::{carry};
import word64::{Wide, wide_add, wide_less, wide_sub};

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

fn counted_time() -> Wide { return wide_maximum(mine.now, plan.warmup); }

// Servers are away from now on.
fn go_away(words: u32, servers: u32) {
    for (var server = 0u; server < servers; server += 1u) {
        let before = absences_at(words);
        let borrow = select(0u, 1u, wide_less(before.sum, counted_time()));
        set_absences(words, AbsenceTimes(before.count, before.upper - borrow, wide_sub(before.sum, counted_time())));
    }
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
    let words = site.words + plan.absence;
    for (; away != 0u; away -= 1u) {
        let before = absences_at(words);
        let sum = wide_add(before.sum, counted_time());
        set_absences(words, AbsenceTimes(before.count, before.upper + carry(sum, before.sum), sum));
    }
}
