// multiclass/full_blocks: who has been served and finds no room where it goes holds its server until there is some. A station has,
// from its word `holding` on:
//
//   0    the first and the last token of other stations that wait for room here
//   1    its own tokens that wait so; tokens on their way here for which there is room
//   2    the last one of the former; a link of a search
//
// A token that waits has since when in word 4, and in word 7 its station and the one before it of those of its station.
//
// Reads: parameters, structure. Reads and writes: held.

import package::lib::wide::{wide_maximum};
import package::multiclass::accounts::{account_of, add_back, count_two, enter_presence};
import package::multiclass::parameters::{NONE, parameters, structure};
import package::multiclass::state::{
    back_at, front_at, front_wide, mine, set_back, set_front, set_front_wide, station_at,
};
import package::multiclass::station::{open_station, site};
import package::multiclass::tokens::{CLASS, COUNTED, EXPECTED, token_at};
import package::multiclass::visits::{go};
import word64::{wide_sub};

const FAULT_BLOCKED: u32 = 128u;

// Of the open station: its tokens that wait for room elsewhere, and those that come for which there is room.
var<private> blocked: u32;
var<private> coming: u32;
// Whether a station lets in who waits, and which; and the token by whose going it has come to that, or NONE. Such tokens are on
// their way, and have in word 0 the station and the token that it goes on with then.
var<private> is_admitting: bool;
var<private> admits: u32;
var<private> last_released: u32;

fn held_at(id: u32) -> u32 { return station_at(id) + parameters.holding / 2u; }

fn begin_room(id: u32) {
    set_front(held_at(id), NONE, NONE);
    set_front(held_at(id) + 1u, NONE, NONE);
}

fn open_room() {
    let counts = back_at(held_at(site.id));
    blocked = counts.x;
    coming = counts.y;
}

fn close_room() { set_back(held_at(site.id), blocked, coming); }

fn taken() -> u32 { return site.serving + blocked; }

fn coming_of(id: u32) -> u32 {
    if (id == site.id) { return coming; }
    return back_at(held_at(id)).y;
}

// Several tokens may leave in one event, so that each takes its place among those that are to come.
fn at_once() -> bool { return false; }

fn blocks(id: u32) -> bool { return id < parameters.stations && structure[parameters.blocking + id].x != 0u; }

// Whether a station that is not open is full.
fn is_full(id: u32) -> bool {
    let present = back_at(station_at(id) + 1u).y;
    return present + back_at(held_at(id)).y >= structure[2u * id].y;
}

fn finds_room(token: u32) -> bool {
    let about = back_at(token_at(token));
    if ((about.x & EXPECTED) == 0u) { return site.present + coming < site.rules.y; }
    coming -= 1u;
    set_back(token_at(token), about.x & ~EXPECTED, about.y);
    return true;
}

fn makes_room() {
    is_admitting = true;
    admits = site.id;
    last_released = NONE;
}

// Who goes round makes its own room.
fn is_held(edge: u32) -> bool {
    let goal = structure[parameters.edges + 2u * edge].y;
    return goal != site.id && blocks(goal) && is_full(goal);
}

// A token of the open station waits for room.
fn hold(token: u32, edge: u32) {
    let words = token_at(token);
    let lists = held_at(site.id) + 1u;
    set_front_wide(words + 2u, mine.now);
    set_back(words + 3u, site.id, front_at(lists).x);
    set_front(lists, token, NONE);
    blocked += 1u;
    // Behind the others.
    let waiting = held_at(structure[parameters.edges + 2u * edge].y);
    let ends = front_at(waiting);
    set_front(words, NONE, NONE);
    if (ends.y == NONE) {
        set_front(waiting, token, token);
    } else {
        set_front(token_at(ends.y), NONE, token);
        set_front(waiting, ends.x, token);
    }
    if (is_deadlock()) { mine.stuck = 1u + site.id; }
}

fn expected_at(goal: u32) -> u32 {
    if (!blocks(goal)) { return 0u; }
    if (goal == site.id) {
        coming += 1u;
    } else {
        let counts = back_at(held_at(goal));
        set_back(held_at(goal), counts.x, counts.y + 1u);
    }
    return EXPECTED;
}

fn release_next() -> bool {
    while (is_admitting) {
        if (blocks(admits) && front_at(held_at(admits)).x != NONE && !is_full(admits)) {
            release();
            return true;
        }
        if (last_released == NONE) {
            is_admitting = false;
        } else {
            let link = front_at(token_at(last_released));
            admits = link.x;
            last_released = link.y;
        }
    }
    return false;
}

// The first token that waits for room where there is some goes. Its station lets in who waits for that, and the other one goes on
// then.
fn release() {
    let ends = front_at(held_at(admits));
    let token = ends.x;
    let words = token_at(token);
    let next = front_at(words).y;
    set_front(held_at(admits), next, select(ends.y, NONE, next == NONE));
    set_front(words, admits, last_released);
    last_released = token;
    admits = back_at(words + 3u).x;
    open_station(admits);
    blocked -= 1u;
    unlink(token);
    let about = back_at(words);
    let account = account_of(about.x & CLASS);
    count_two(account, 0u, select(0u, 1u, (about.x & COUNTED) != 0u), 0u);
    enter_presence(account, front_wide(words + 1u));
    if (mine.counted == 1u) {
        add_back(account + 4u, wide_sub(mine.now, wide_maximum(front_wide(words + 2u), parameters.warmup)), FAULT_BLOCKED);
    }
    site.present -= 1u;
    go(token, about.y);
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

// Whether a station that is not open makes no room before one of its tokens that wait can go.
fn is_stuck(id: u32) -> bool {
    let counts = back_at(held_at(id));
    let serving = front_at(station_at(id) + 2u).x;
    return structure[parameters.blocking + id].y != 0u && counts.x != 0u && counts.y == 0u && serving == 0u;
}

// Whether the open station and all that its tokens wait for, over others, make no room for each other. Stations that have been
// found are linked, the last one with itself.
fn is_deadlock() -> bool {
    close_room();
    if (site.serving != 0u) { return false; }
    set_front(site.words + 2u, 0u, site.rules.x);
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
            let goal = structure[parameters.edges + 2u * back_at(token_at(token)).y].y;
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

fn stands() -> bool { return mine.stuck != 0u; }
