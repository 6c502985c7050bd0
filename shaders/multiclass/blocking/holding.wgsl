// multiclass/blocking/holding: what stations keep where who has been served and finds no room where it goes holds its server until there is
// some. A station has, from its word `holding` on:
//
//   0    the first and the last token of other stations that wait for room here
//   1    its own tokens that wait so; tokens on their way here for which there is room
//   2    the last one of the former; a link of a search; 3: see suspects
//
// A token that waits has since when in word 4, and in word 7 its station and the one before it of those of its station.
//
// Reads: parameters, structure. Reads and writes: held.

import class_counts::{is_full_of};
import package::multiclass::blocking::rules::{blocking_of};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::routes::rules::{edge_at};
import package::multiclass::state::{back_at, front_at, mine, set_back, set_front, set_front_wide, station_at};
import package::multiclass::stations::rules::{station_rules};
import package::multiclass::stations::station::{site};
import package::multiclass::tokens::{token_at};

// Of the open station: its tokens that wait for room elsewhere, and those that come for which there is room.
var<private> blocked: u32;
var<private> coming: u32;

fn held_at(id: u32) -> u32 { return station_at(id) + plan.holding / 2u; }

fn keep_counts() { set_back(held_at(site.id), blocked, coming); }

fn blocks(id: u32) -> bool { return id < plan.stations && blocking_of(id).kinds != 0u; }

// Whether a station that is not open is full.
fn is_full(id: u32) -> bool {
    let present = back_at(station_at(id) + 1u).y;
    return present + back_at(held_at(id)).y >= station_rules(id).capacity;
}

// Whether a token of a class at a station has no room where a route leads, to a station that blocks. Who goes round makes its own room,
// but where it becomes of a class of which there are as many as may be.
fn lacks_room(edge: u32, class_of: u32, at: u32) -> bool {
    let route = edge_at(edge);
    let goes_round = route.goal == at;
    let changes = !goes_round || route.becomes != class_of;
    return (!goes_round && is_full(route.goal)) || (changes && is_full_of(route.goal, route.becomes));
}

// A token of the open station waits with its server.
fn stand_held(token: u32) {
    let words = token_at(token);
    let lists = held_at(site.id) + 1u;
    set_front_wide(words + 2u, mine.now);
    set_back(words + 3u, site.id, front_at(lists).x);
    set_front(lists, token, NONE);
    blocked += 1u;
}

// Room waits for so many tokens more at a station, open or not.
fn change_coming(id: u32, change: u32) {
    if (id == site.id) {
        coming += change;
    } else {
        let counts = back_at(held_at(id));
        set_back(held_at(id), counts.x, counts.y + change);
    }
}

// Takes a token out of the list of those of the open station that wait.
fn unlink(token: u32) {
    let lists = held_at(site.id) + 1u;
    let before = back_at(token_at(token) + 3u).y;
    var other = front_at(lists).x;
    if (other == token) {
        set_front(lists, before, NONE);
        return;
    }
    while (back_at(token_at(other) + 3u).y != token) { other = back_at(token_at(other) + 3u).y; }
    set_back(token_at(other) + 3u, site.id, before);
}
