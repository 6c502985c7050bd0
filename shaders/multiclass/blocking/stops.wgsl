// multiclass/blocking/stops: blocking before the service: a token is served only while there is room where it goes then, if that station has it so:
// the twin of src/queueing/reference/oracle/before.rs. A station has in the first number of its row of `blocking` the bit BEFORE
// then. Who waits in its server is among those of its station that wait for room (holding), but in no list of another one; what is left
// of its service it has as who was interrupted.
//
// Reads: parameters, structure. Reads and writes: held.

import duty::{loses_servers};
import package::lib::wide::{wide_maximum};
import package::multiclass::blocking::feeding::{first_served, first_stopped, is_fed, lacks_room_before};
import package::multiclass::blocking::holding::{blocked, stand_held, unlink};
import package::multiclass::blocking::suspects::{suspects_later};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::queues::waiting::{Guest, guest, stand_in_line};
import package::multiclass::state::{
    back_at, back_wide, front_at, front_wide, mine, row_at, row_of, set_back, set_front, set_front_wide, set_row,
};
import package::multiclass::stations::station::{open_station, site};
import package::multiclass::statistics::accounts::{Served, account_of, add_back, enter_service};
import package::multiclass::statistics::annex::{BLOCKED_SUM, STOPPED_SUM, annex_of, carry, enter_carries};
import package::multiclass::tokens::{CLASS, INTERRUPTED, token_at};
import repeats::{served_from};
import stopped::{left_of};
import units::{puts_back, stays_held, stays_served};
import wear::{put_down, takes_server};
import word64::{Wide, wide, wide_add, wide_sub};

// One more than a station that may be full, one that may have room, or 0; who is served, or NONE.
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
    set_back(token_at(token), guest.about, guest.edge);
    set_front(token_at(token) + 3u, guest.arrival, 0u);
    stop(token);
    return true;
}

// The service of a token of the open station stops.
fn stop_service(token: u32) {
    let words = token_at(token);
    let about = back_at(words);
    let begin = served_from(token, about.x, front_wide(words + 1u));
    let work = row_at(words + 2u);
    var since = begin;
    if ((about.x & INTERRUPTED) != 0u) { since = back_wide(words + 4u); }
    enter_service(account_of(about.x & CLASS), token, Served(about.x & ~CLASS, begin, since, wide(work.x, work.y), wide(work.z, work.w)), wide(0u, 0u), 0u, 0u);
    set_row(words + 4u, row_of(left_of(token), mine.now));
    set_back(words, about.x | INTERRUPTED, about.y);
    site.serving -= 1u;
    put_down(token);
    stop(token);
}

// A token waits in its server no longer, before its service or amid it.
fn enter_stop(account: u32, stopped: Wide) {
    add_back(account, 4u, BLOCKED_SUM, stopped);
    let row = annex_of(account) + 2u;
    let before = front_wide(row);
    let after = wide_add(before, stopped);
    set_front_wide(row, after);
    enter_carries(account, 1u, STOPPED_SUM * carry(after, before));
}

// A token of the open station that has waited in its server is served, or waits for a server where that is gone.
fn go_on(token: u32) {
    let words = token_at(token);
    let about = back_at(words);
    if (mine.counted == 1u) {
        enter_stop(account_of(about.x & CLASS), wide_sub(mine.now, wide_maximum(front_wide(words + 2u), plan.warmup)));
    }
    blocked -= 1u;
    unlink(token);
    stays_served(token);
    guest = Guest(about.x, about.y, front_at(words + 3u).x);
    served_again = token;
    if (loses_servers() && site.serving + blocked >= site.rules.servers) {
        if ((about.x & INTERRUPTED) == 0u) { puts_back(token); }
        stand_in_line(token, about.x, about.y, true);
        served_again = NONE;
    }
}

// Stops the next service whose token has no room any more, at its station, which it opens. Returns whether there is one.
fn stops_next() -> bool {
    if (filled == 0u) { return false; }
    let found = first_served(filled - 1u);
    if (found.x == NONE) {
        filled = 0u;
        return false;
    }
    open_station(found.y);
    stop_service(found.x);
    return true;
}

// The next token that has room again goes on, likewise.
fn goes_on_next() -> bool {
    if (roomy == 0u) { return false; }
    let found = first_stopped(roomy - 1u);
    if (found.x == NONE) {
        roomy = 0u;
        return false;
    }
    open_station(found.y);
    go_on(found.x);
    return true;
}

fn stop_or_go_on() -> bool {
    served_again = NONE;
    return stops_next() || goes_on_next();
}

fn goes_on_served() -> u32 { return served_again; }
