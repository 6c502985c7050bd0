// multiclass/servers/idle: servers that have nobody to serve stay set up for a time: the twin of Oracle::counts_idle. The events of its end have
// places behind those of set-ups, and numbers as these.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import package::lib::time::{never};
import package::multiclass::parameters::{NONE, model_row, plan};
import package::multiclass::pending::{RETURN, event_of, set_event, set_event_time};
import package::multiclass::servers::absence_rows::{next_number};
import package::multiclass::servers::rules::{Absences};
import package::multiclass::state::{mine};
import package::multiclass::stations::service::{drawn_time};
import package::multiclass::stations::station::{site};
import word64::{wide_add, wide_high};

// The law of how long an idle server stays set up, or NONE.
struct OffAfter { law: u32 }

fn off_after(id: u32) -> u32 {
    let row = model_row(plan.absences + 2u * plan.stations + id);
    return OffAfter(row.x).law;
}

fn stays_idle() -> bool { return off_after(site.id) != NONE; }

fn begin_idle(id: u32, rule: Absences) {
    if (off_after(id) == NONE) { return; }
    for (var place = rule.place + rule.servers; place < rule.place + 2u * rule.servers; place += 1u) {
        set_event(place, RETURN | id, 0u, never());
    }
}

fn is_off(rule: Absences, place: u32) -> bool {
    if (place < rule.place + rule.servers) { return false; }
    set_event_time(place, never());
    return true;
}

fn is_pending(place: u32) -> bool { return wide_high(event_of(place).time) != NONE; }

// The last to be idle is no longer.
fn ends_idle(rule: Absences) {
    var last = NONE;
    for (var place = rule.place + rule.servers; place < rule.place + 2u * rule.servers; place += 1u) {
        if (!is_pending(place)) { continue; }
        if (last == NONE || event_of(place).token > event_of(last).token) { last = place; }
    }
    set_event_time(last, never());
}

fn counts_idle(rule: Absences, count: u32) {
    let law = off_after(site.id);
    if (law == NONE) { return; }
    var idle = 0u;
    for (var place = rule.place + rule.servers; place < rule.place + 2u * rule.servers; place += 1u) {
        idle += select(0u, 1u, is_pending(place));
    }
    for (; idle > count; idle -= 1u) { ends_idle(rule); }
    var place = rule.place + rule.servers;
    for (; idle < count; idle += 1u) {
        while (is_pending(place)) { place += 1u; }
        let number = next_number(site.words + plan.absence);
        set_event(place, RETURN | site.id, number, wide_add(mine.now, drawn_time(law)));
    }
}
