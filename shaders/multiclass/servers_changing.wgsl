// multiclass/servers_changing: how many servers a station has changes with shifts, failures and repairs. The number is kept with
// the station. An event of a shift has the place of the shift in force with it, that of a server its number and whether it is out
// of order.
// Reads and writes: held.

import full::{taken};
import package::lib::pcg32::{Stream};
import package::lib::service::{service_time};
import package::lib::time::{Time, never};
import package::multiclass::parameters::{NONE, law_at, plan, structure};
import package::multiclass::pending::{FAILURE, PHASE, SHIFT, event_at, set_event};
import package::multiclass::service::{drawn_time, last_served};
import package::multiclass::state::{back_at, front_at, mine, set_back, set_front, set_front_wide, station_at};
import package::multiclass::station::{site};
import package::multiclass::tokens::{token_at};
import package::multiclass::visits::{call_next};
import word64::{wide, wide_add, wide_high};

// The place of a server whose state has changed and which draws how long it stays so, or 0.
var<private> changed: u32;
// Whether services are interrupted for which there is no server.
var<private> pauses_rest: bool;

fn shifts_of(id: u32) -> vec4<u32> { return structure[plan.duty + 2u * id]; }
fn failures_of(id: u32) -> vec4<u32> { return structure[plan.duty + 2u * id + 1u]; }

// Opens the servers of a station at time 0.
fn begin_servers(id: u32, stream: ptr<function, Stream>) {
    let shifts = shifts_of(id);
    let failures = failures_of(id);
    var servers = structure[2u * id].x;
    if (shifts.y != 0u) {
        servers = structure[shifts.x].z;
        set_event(shifts.z, SHIFT | id, 0u, shift_end(shifts.x));
    }
    for (var server = 0u; server < failures.w; server += 1u) {
        set_event(failures.z + server, FAILURE | id, server << 1u, service_time(law_at(failures.x), stream));
    }
    set_front(station_at(id) + 2u, 0u, servers);
}

fn servers_of(all: u32, kept: u32) -> u32 { return kept; }

fn is_change(place: u32) -> bool { return place > plan.sources && place < plan.fixed; }

// When the shift of a row ends that begins now; never where that is 2^63 or later.
fn shift_end(row: u32) -> Time {
    let shift = structure[row];
    let end = wide_add(mine.now, wide(shift.x, shift.y));
    if (((shift.y | wide_high(end)) >> 31u) != 0u) { return never(); }
    return end;
}

// Of so many servers on duty those that are in order.
fn in_order(on_duty: u32) -> u32 {
    let failures = failures_of(site.id);
    var servers = on_duty;
    for (var server = 0u; server < min(on_duty, failures.w); server += 1u) {
        servers -= back_at(event_at(failures.z + server)).y & 1u;
    }
    return servers;
}

// The last in the order of service where there is no server for it, or NONE.
fn next_paused() -> u32 {
    if (!pauses_rest || taken() <= site.rules.x) {
        pauses_rest = false;
        return NONE;
    }
    let last = last_served();
    pauses_rest = last != NONE;
    return last;
}

// A shift begins at the open station.
fn begin_shift(place: u32, event: vec2<u32>) {
    let shifts = shifts_of(site.id);
    let next = structure[shifts.x + event.y].w;
    set_event(place, event.x, next, shift_end(shifts.x + next));
    site.rules.x = in_order(structure[shifts.x + next].z);
    pauses_rest = shifts.w != 0u;
}

// A server of the open station fails, or is repaired.
fn change_server(place: u32, event: vec2<u32>) {
    let shifts = shifts_of(site.id);
    set_back(event_at(place), event.x, event.y ^ 1u);
    changed = place;
    var on_duty = structure[2u * site.id].x;
    if (shifts.y != 0u) { on_duty = structure[shifts.x + back_at(event_at(shifts.z)).y].z; }
    let is_on_duty = select(0u, 1u, (event.y >> 1u) < on_duty);
    if ((event.y & 1u) != 0u) {
        site.rules.x += is_on_duty;
    } else {
        // Also where a server fails that is not on duty, those are interrupted that have stayed beyond their shift.
        site.rules.x -= is_on_duty;
        pauses_rest = true;
    }
}

fn change(place: u32, event: vec2<u32>) {
    if ((event.x & PHASE) == SHIFT) { begin_shift(place, event); } else { change_server(place, event); }
}

// Behind the services that have begun.
fn end_change() {
    if (changed == 0u) { return; }
    let failures = failures_of(site.id);
    let law = select(failures.x, failures.y, (back_at(event_at(changed)).y & 1u) != 0u);
    set_front_wide(event_at(changed), wide_add(mine.now, drawn_time(law)));
    changed = 0u;
}

fn number_of(event: vec2<u32>) -> u32 {
    if ((event.x & PHASE) == FAILURE) { return event.y; }
    return front_at(token_at(event.y) + 3u).y;
}

fn follower() -> u32 { return NONE; }

// Who waits is served, as far as there are servers.
fn next_served() -> u32 {
    if (taken() >= site.rules.x) { return NONE; }
    return call_next();
}
