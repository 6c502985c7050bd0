// multiclass/blocking/release: a blocked token goes.
// Reads: parameters. Reads and writes: replication_state.

import class_counts::{limits_classes};
import server_schedule::{gives_server};
import package::lib::wide::{wide_maximum};
import package::multiclass::blocking::holding::{blocked, held_token, is_full, lacks_room, room_of, set_waiting, unlink};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::routes::moves::{go};
import package::multiclass::state::{mine};
import package::multiclass::stations::presence::{goes_from_here};
import package::multiclass::stations::station::{open_station, site};
import package::multiclass::statistics::account_rows::{count_arrivals};
import package::multiclass::statistics::accounts::{account_of, add_blocked, enter_presence};
import package::multiclass::tokens::{CLASS, COUNTED, links_of, service_of, set_neighbours, times_of};
import repeats::{served_from};
import rooms::{has_room_now};
import groups::{leaves_group};
import histograms::{sees_blocked, sees_leave};
import units::{gives_units};
import wear::{let_go};
import word64::{wide_sub};

// Whether a station lets in blocked tokens, and which station; and the token whose going has made it do so, or NONE. Such
// tokens are on their way, and have in word 0 the station and the token with which it goes on then.
var<private> is_admitting: bool;
var<private> admits: u32;
var<private> last_released: u32;

// One more than a station that lets in blocked tokens when that is done, or 0.
var<private> admits_then: u32;

// The open station lets in blocked tokens; a station that was to do so comes behind it.
fn let_in() {
    if (is_admitting) { admits_then = 1u + admits; }
    is_admitting = true;
    admits = site.id;
    last_released = NONE;
    has_room_now(site.id);
}

fn next_admits() {
    is_admitting = admits_then != 0u;
    admits = admits_then - 1u;
    admits_then = 0u;
}

// The blocked token that goes, and the token before it in the list.
var<private> released: u32;
var<private> before_released: u32;

// Looks for the first token that is blocked by a station and has room there. Where classes have room of their own it need not be the
// first of all.
fn finds_released() -> bool {
    if (!limits_classes() && is_full(admits)) { return false; }
    before_released = NONE;
    released = room_of(admits).first;
    while (released != NONE) {
        let links = links_of(released);
        if (!lacks_room(links.edge, links.about & CLASS, held_token(released).station)) { return true; }
        before_released = released;
        released = links_of(released).behind;
    }
    return false;
}

// Lets the found token go. Its own station lets in blocked tokens, and the other station goes on behind it.
fn release() {
    let token = released;
    take_behind(token, admits, before_released);
    set_neighbours(token, admits, last_released);
    last_released = token;
    admits = held_token(token).station;
    open_station(admits);
    has_room_now(admits);
    let_out(token);
}

// Takes a token out of the list of those blocked by a station, behind the token `before`, or NONE.
fn take_behind(token: u32, goal: u32, before: u32) {
    let ends = room_of(goal);
    let next = links_of(token).behind;
    let last = select(ends.last, before, next == NONE);
    if (before == NONE) {
        set_waiting(goal, next, last);
    } else {
        set_neighbours(before, NONE, next);
        set_waiting(goal, ends.first, last);
    }
}

fn take_out(token: u32, goal: u32) {
    var before = NONE;
    var other = room_of(goal).first;
    while (other != token) {
        before = other;
        other = links_of(other).behind;
    }
    take_behind(token, goal, before);
}

// A blocked token of the open station goes.
fn let_out(token: u32) {
    blocked -= 1u;
    unlink(token);
    let links = links_of(token);
    let account = account_of(links.about & CLASS);
    count_arrivals(account, select(0u, 1u, (links.about & COUNTED) != 0u));
    enter_presence(account, times_of(token).arrived);
    if (mine.counted == 1u) {
        add_blocked(account, wide_sub(mine.now, wide_maximum(service_of(token).start, plan.warmup)));
    }
    sees_leave(links.about & CLASS, served_from(token, links.about, times_of(token).arrived));
    sees_blocked(links.about & CLASS, wide_sub(mine.now, service_of(token).start));
    goes_from_here(links.about & CLASS);
    let_go(token);
    leaves_group(links.about);
    gives_units(token);
    gives_server();
    go(token, links.about & CLASS, links.edge, times_of(token).entered);
}
