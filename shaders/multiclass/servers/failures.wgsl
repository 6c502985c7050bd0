// multiclass/servers/failures: servers fail and are repaired. The event of a server has the number of the server and whether it is out of
// order.
// Reads: parameters, model_table. Reads and writes: replication_state.

import decisions::{servers_decided};
import package::lib::pcg32::{Stream};
import package::lib::service::{service_time};
import package::multiclass::parameters::{law_at};
import package::multiclass::pending::{Event, FAILURE, event_at, event_of, set_event, set_event_time};
import package::multiclass::rows::{set_back};
import package::multiclass::servers::rules::{Shifts, failures_of, shift_at, shifts_of};
import package::multiclass::state::{mine};
import package::multiclass::stations::rules::{station_rules};
import package::multiclass::stations::interruptions::{paused};
import package::multiclass::stations::service::{drawn_time};
import package::multiclass::stations::station::{site};
import wear::{renew, served_by, wears};
import word64::{wide_add};

// The place of a server whose state has changed, and which draws how long the new state lasts, or 0.
var<private> changed: u32;
// Whether services without a server are interrupted.
var<private> pauses_rest: bool;

// The place of the shift in force, where a station has shifts.
fn shift_of(shifts: Shifts) -> u32 { return event_of(shifts.place).token; }

// Draws how long each server of a station works.
fn begin_failures(id: u32, stream: ptr<function, Stream>) {
    let failures = failures_of(id);
    for (var server = 0u; server < failures.servers; server += 1u) {
        let place = failures.place + server;
        let works = service_time(law_at(failures.works), stream);
        set_event(place, FAILURE | id, server << 1u, works);
        if (wears(shifts_of(id))) { renew(place, works); }
    }
}

// How many of the servers on duty are in order.
fn in_order(on_duty: u32) -> u32 {
    let failures = failures_of(site.id);
    var servers = on_duty;
    for (var server = 0u; server < min(on_duty, failures.servers); server += 1u) {
        servers -= event_of(failures.place + server).token & 1u;
    }
    return servers;
}

// Whether a server of the open station is out of order.
fn has_failed() -> bool {
    let failures = failures_of(site.id);
    for (var place = failures.place; place < failures.place + failures.servers; place += 1u) {
        if ((event_of(place).token & 1u) != 0u) { return true; }
    }
    return false;
}

// How many servers the open station has, in order or not: the servers of its shift, where it has shifts.
fn servers_on_duty(shifts: Shifts) -> u32 {
    if (shifts.count != 0u) { return servers_decided(shift_at(shifts.first + shift_of(shifts)).servers); }
    return station_rules(site.id).servers;
}

// A server of the open station fails, or is repaired.
fn change_server(place: u32, event: Event) {
    let shifts = shifts_of(site.id);
    set_back(event_at(place), event.what, event.token ^ 1u);
    changed = place;
    let is_on_duty = select(0u, 1u, (event.token >> 1u) < servers_on_duty(shifts));
    if ((event.token & 1u) != 0u) {
        site.rules.servers += is_on_duty;
        if (wears(shifts)) {
            changed = 0u;
            renew(place, drawn_time(failures_of(site.id).works));
        }
        return;
    }
    site.rules.servers -= is_on_duty;
    if (wears(shifts)) {
        paused = served_by(place);
    } else {
        // Also where a server fails that is not on duty, services that have outlasted their shift are interrupted.
        pauses_rest = true;
    }
}

// Comes behind the services that have begun.
fn draw_change() {
    if (changed == 0u) { return; }
    let failures = failures_of(site.id);
    let law = select(failures.works, failures.repairs, (event_of(changed).token & 1u) != 0u);
    set_event_time(changed, wide_add(mine.now, drawn_time(law)));
    changed = 0u;
}
