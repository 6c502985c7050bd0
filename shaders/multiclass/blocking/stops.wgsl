// multiclass/blocking/stops: blocking before the service: a token is served only while there is room at its next station, where that station
// has the bit BEFORE: the twin of src/queueing/reference/oracle/before_service.rs. A token that waits in its server is among the blocked tokens
// of its own station (holding), but in no list of another station. It keeps the rest of its service as an interrupted token does.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import fold::{folds_end};
import server_schedule::{loses_servers};
import package::lib::wide::{wide_maximum};
import package::multiclass::blocking::feeding::{first_served, first_stopped, is_fed, lacks_room_before};
import package::multiclass::blocking::holding::{blocked, stand_held, unlink};
import package::multiclass::blocking::suspects::{suspects_later};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::queues::waiting::{Guest, guest, stand_in_line};
import package::multiclass::rows::{front_wide, set_front_wide};
import package::multiclass::state::{mine};
import package::multiclass::stations::station::{open_station, site};
import package::multiclass::statistics::accounts::{Served, account_of, add_blocked, enter_service};
import package::multiclass::statistics::annex::{STOPPED_SUM, annex_of, carry, enter_carries};
import package::multiclass::tokens::{CLASS, INTERRUPTED, Interruption, Numbers, interruption_of, links_of, numbers_of, service_of, set_about, set_interruption, set_numbers, times_of};
import repeats::{served_from};
import stopped::{left_of};
import units::{puts_back, stays_held, stays_served};
import wear::{put_down, takes_server};
import word64::{Wide, wide, wide_add, wide_sub};

// One more than a station that may be full, one more than a station that may have room, or 0; the token that is served,
// or NONE.
var<private> filled: u32;
var<private> roomy: u32;
var<private> served_again: u32;

fn fills(id: u32) { if (is_fed(id)) { filled = 1u + id; } }
fn has_room_now(id: u32) { if (is_fed(id)) { roomy = 1u + id; } }

// A token of the open station waits in its server.
fn stop(token: u32) {
    takes_server(token);
    stays_held(token);
    stand_held(token);
    suspects_later();
}

fn waits_in_server(token: u32) -> bool {
    if (!lacks_room_before(guest.edge, guest.about & CLASS, site.id)) { return false; }
    set_about(token, guest.about, guest.edge);
    let numbers = numbers_of(token);
    set_numbers(token, Numbers(guest.arrival, 0u, numbers.place, numbers.goal));
    stop(token);
    return true;
}

// The service of a token of the open station stops.
fn stop_service(token: u32) {
    let links = links_of(token);
    let begin = served_from(token, links.about, times_of(token).arrived);
    let work = service_of(token);
    var since = begin;
    if ((links.about & INTERRUPTED) != 0u) { since = interruption_of(token).since; }
    enter_service(account_of(links.about & CLASS), token, Served(links.about & ~CLASS, begin, since, work.start, work.service), wide(0u, 0u), 0u, 0u);
    set_interruption(token, Interruption(left_of(token), mine.now));
    set_about(token, links.about | INTERRUPTED, links.edge);
    site.serving -= 1u;
    folds_end(links.about & CLASS);
    put_down(token);
    stop(token);
}

// Enters that a token no longer waits in its server, before its service or amid it.
fn enter_stop(account: u32, stopped: Wide) {
    add_blocked(account, stopped);
    let row = annex_of(account) + 2u;
    let before = front_wide(row);
    let after = wide_add(before, stopped);
    set_front_wide(row, after);
    enter_carries(account, 1u, STOPPED_SUM * carry(after, before));
}

// A token of the open station that has waited in its server is served, or waits for a server where its server is gone.
fn go_on(token: u32) {
    let links = links_of(token);
    if (mine.counted == 1u) {
        enter_stop(account_of(links.about & CLASS), wide_sub(mine.now, wide_maximum(service_of(token).start, plan.warmup)));
    }
    blocked -= 1u;
    unlink(token);
    stays_served(token);
    guest = Guest(links.about, links.edge, numbers_of(token).arrival);
    served_again = token;
    if (loses_servers() && site.serving + blocked >= site.rules.servers) {
        puts_back(token, (links.about & INTERRUPTED) != 0u);
        stand_in_line(token, links.about, links.edge, true);
        served_again = NONE;
    }
}

// Stops the next service whose token has no room any more, at its station, which it opens. Returns whether there is one.
fn stops_next() -> bool {
    if (filled == 0u) { return false; }
    let found = first_served(filled - 1u);
    if (found.token == NONE) {
        filled = 0u;
        return false;
    }
    open_station(found.station);
    stop_service(found.token);
    return true;
}

// The next token that has room again goes on, likewise.
fn goes_on_next() -> bool {
    if (roomy == 0u) { return false; }
    let found = first_stopped(roomy - 1u);
    if (found.token == NONE) {
        roomy = 0u;
        return false;
    }
    open_station(found.station);
    go_on(found.token);
    return true;
}

fn stop_or_go_on() -> bool {
    served_again = NONE;
    return stops_next() || goes_on_next();
}

fn goes_on_served() -> u32 { return served_again; }
