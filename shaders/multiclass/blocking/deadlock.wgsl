// multiclass/blocking/deadlock: whether stations wait for each other for ever.
// Reads: parameters, structure. Reads and writes: held.

import absences::{away_servers, comes_to_some, ready_servers};
import duty::{most_servers_of};
import forks::{aside_at};
import package::multiclass::blocking::holding::{held_at, keep_counts};
import package::multiclass::blocking::rules::{blocking_of};
import package::multiclass::parameters::{NONE};
import package::multiclass::routes::rules::{edge_at};
import package::multiclass::state::{back_at, front_at, row_at, set_back, set_front, set_row, station_at};
import package::multiclass::stations::station::{site};
import package::multiclass::tokens::{token_at};
import units::{outside_at};

// What makes a station go on where nobody is served there, besides servers that change.
const GOES_ON: u32 = 0u;
const IMPATIENT: u32 = 2u;

// Whether a station that is not open makes no room before one of its tokens that wait can go.
fn is_stuck(id: u32) -> bool {
    let counts = back_at(held_at(id));
    let servers = row_at(station_at(id) + 2u);
    let waiting = back_at(station_at(id) + 1u).y - servers.x - counts.x - outside_at(id);
    if (aside_at(id) != 0u || comes_to_some(servers.z, waiting)) { return false; }
    let rule = blocking_of(id);
    // Who waits is served by one more server, or loses its patience.
    if (waiting != 0u && (rule.goes_on == IMPATIENT || counts.x < most_servers_of(id, rule.most_servers))) { return false; }
    return rule.goes_on != GOES_ON && counts.x != 0u && counts.y == 0u && servers.x == 0u;
}

// Whether the open station and all that its tokens wait for, over others, make no room for each other. Stations that have been
// found are linked, the last one with itself.
fn is_deadlock() -> bool {
    keep_counts();
    if (site.serving != 0u) { return false; }
    set_row(site.words + 2u, vec4<u32>(0u, site.rules.servers, away_servers(), ready_servers()));
    set_back(site.words + 1u, site.departures, site.present);
    var last = site.id;
    var here = site.id;
    link(last, last);
    var all_stuck = true;
    loop {
        if (!is_stuck(here)) {
            all_stuck = false;
            break;
        }
        var token = front_at(held_at(here) + 1u).x;
        while (token != NONE) {
            let goal = edge_at(back_at(token_at(token)).y).goal;
            if (front_at(held_at(goal) + 1u).y == NONE) {
                link(last, goal);
                link(goal, goal);
                last = goal;
            }
            token = back_at(token_at(token) + 3u).y;
        }
        if (here == last) { break; }
        here = front_at(held_at(here) + 1u).y;
    }
    // They are unlinked again.
    here = site.id;
    loop {
        let next = front_at(held_at(here) + 1u).y;
        link(here, NONE);
        if (next == here) { break; }
        here = next;
    }
    return all_stuck;
}

fn link(id: u32, next: u32) {
    let lists = held_at(id) + 1u;
    set_front(lists, front_at(lists).x, next);
}
