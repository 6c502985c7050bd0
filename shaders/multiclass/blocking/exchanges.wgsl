// multiclass/blocking/exchanges: tokens in a deadlock over each other's room change places, where every station of the circle has the
// bit EXCHANGES: the twin of `resolve` and `exchange` in src/queueing/reference/oracle/blocking.rs.
//
// Each station of a circle is linked with its first blocked token, in the order of service, in the word where a search of deadlock has
// its link. These tokens are no longer blocked, and each has in its links the token that goes next.
//
// Reads: parameters, model_table. Reads and writes: replication_state.

import circles::{waits_for_ever};
import full::{is_suspected, uses_room};
import package::multiclass::blocking::holding::{change_coming, held_links, held_token, room_of, set_held_links, set_room_counts};
import package::multiclass::blocking::release::{let_in, let_out, take_out};
import package::multiclass::blocking::rules::{blocking_of};
import package::multiclass::blocking::suspects::{may_wait_for_ever};
import package::multiclass::parameters::{NONE};
import package::multiclass::queues::orders::{is_last};
import package::multiclass::routes::rules::{edge_at};
import package::multiclass::stations::rules::{station_rules};
import package::multiclass::stations::station::{open_station, site};
import package::multiclass::tokens::{links_of, set_neighbours};

const EXCHANGES: u32 = 2u;

// One more than the token that goes next, or 0.
var<private> next_exchanged: u32;

fn goal_of(token: u32) -> u32 { return edge_at(links_of(token).edge).goal; }

fn link_of(id: u32) -> u32 { return held_links(id).link; }
fn set_link(id: u32, token: u32) { set_held_links(id, held_links(id).last, token); }

// The first blocked token of a station, in the order of service there.
fn first_held(id: u32) -> u32 {
    site.rules.order = station_rules(id).order;
    var first = held_links(id).last;
    var token = first;
    while (token != NONE) {
        if (token != first && is_last(first, token)) { first = token; }
        token = held_token(token).next;
    }
    return first;
}

// Finds the circle that the tokens of a station lead to, station by station. Returns the first station that was reached
// twice.
fn find_circle(id: u32) -> u32 {
    let order = site.rules.order;
    var here = id;
    while (link_of(here) == NONE) {
        let token = first_held(here);
        set_link(here, token);
        here = goal_of(token);
    }
    site.rules.order = order;
    // A station that only leads to the circle is not in it.
    var other = id;
    while (other != here) {
        let token = link_of(other);
        set_link(other, NONE);
        other = goal_of(token);
    }
    return here;
}

// Unlinks the stations of a circle; where all of them exchange, the first token of each is blocked no longer. Room is reserved for
// each, so that no other token gets the room that they make.
fn begin_exchange(begin: u32) {
    var all = true;
    var here = begin;
    loop {
        all = all && (blocking_of(here).kinds & EXCHANGES) != 0u;
        here = goal_of(link_of(here));
        if (here == begin) { break; }
    }
    var last = NONE;
    loop {
        let token = link_of(here);
        let goal = goal_of(token);
        set_link(here, NONE);
        if (all) {
            take_out(token, goal);
            let counts = room_of(goal);
            set_room_counts(goal, counts.blocked, counts.coming + 1u);
            set_neighbours(token, NONE, NONE);
            if (last == NONE) { next_exchanged = 1u + token; } else { set_neighbours(last, NONE, token); }
            last = token;
        }
        here = goal;
        if (here == begin) { break; }
    }
}

fn exchange_next() -> bool {
    if (next_exchanged == 0u && may_wait_for_ever() && waits_for_ever()) {
        begin_exchange(find_circle(site.id));
        if (next_exchanged != 0u) { _ = is_suspected(); }
    }
    if (next_exchanged == 0u) { return false; }
    let token = next_exchanged - 1u;
    next_exchanged = 1u + links_of(token).behind;
    open_station(held_token(token).station);
    // The room reserved for this token.
    change_coming(goal_of(token), 0xffffffffu);
    let_in();
    let_out(token);
    uses_room();
    return true;
}
