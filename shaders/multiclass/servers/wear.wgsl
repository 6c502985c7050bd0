// multiclass/servers/wear: servers that fail by use: the twin of src/queueing/reference/oracle/wear.rs. A server has a row: the use left
// until it fails, while it does not serve; the token that it serves, or holds blocked, or NONE. While it serves, its event says when it
// fails.
//
// Reads: parameters. Reads and writes: replication_state.

import package::lib::time::{Time, never};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::pending::{event_of, set_event_time};
import package::multiclass::rows::{back_at, front_wide, record_at, row_of, set_back, set_row};
import package::multiclass::servers::rules::{Shifts, failures_of, shifts_of};
import package::multiclass::state::{mine};
import package::multiclass::stations::station::{site};
import word64::{wide, wide_add, wide_sub};

// Stands in a row about shifts: such a station has no shifts.
const BY_USE: u32 = 2u;

fn wears(shifts: Shifts) -> bool { return shifts.kind == BY_USE; }

fn server_at(place: u32) -> u32 { return record_at(plan.servers_at, place - plan.sources - 1u, 1u); }

fn use_left(place: u32) -> Time { return front_wide(server_at(place)); }
fn served_by(place: u32) -> u32 { return back_at(server_at(place)).x; }
fn set_served(place: u32, token: u32) { set_back(server_at(place), token, 0u); }

fn renew(place: u32, left: Time) {
    set_row(server_at(place), row_of(left, wide(NONE, 0u)));
    set_event_time(place, never());
}

// The place of the event of a token's server, or where it has none of the first free server in order; or NONE.
fn server_of(token: u32, takes: bool) -> u32 {
    let failures = failures_of(site.id);
    if (!wears(shifts_of(site.id))) { return NONE; }
    var free = NONE;
    for (var place = failures.place; place < failures.place + failures.servers; place += 1u) {
        let served = served_by(place);
        if (served == token) { return place; }
        if (free == NONE && served == NONE && (event_of(place).token & 1u) == 0u) { free = place; }
    }
    return select(NONE, free, takes);
}

fn takes_server(token: u32) {
    let place = server_of(token, true);
    if (place == NONE) { return; }
    set_served(place, token);
}

fn take_up(token: u32) {
    let place = server_of(token, true);
    if (place == NONE) { return; }
    set_served(place, token);
    set_event_time(place, wide_add(mine.now, use_left(place)));
}

fn put_down(token: u32) {
    let place = server_of(token, false);
    if (place == NONE) { return; }
    let left = wide_sub(event_of(place).time, mine.now);
    set_row(server_at(place), row_of(left, wide(token, 0u)));
    set_event_time(place, never());
}

fn let_go(token: u32) {
    let place = server_of(token, false);
    if (place == NONE) { return; }
    set_served(place, NONE);
}
