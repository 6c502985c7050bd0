// multiclass/deadlock: whether stations wait for each other for ever.
// Reads: parameters, structure. Reads and writes: held.

import package::multiclass::holding::{held_at, keep_counts};
import package::multiclass::parameters::{NONE, plan, structure};
import package::multiclass::state::{back_at, front_at, set_front, station_at};
import package::multiclass::station::{site};
import package::multiclass::tokens::{token_at};

// Whether a station that is not open makes no room before one of its tokens that wait can go.
fn is_stuck(id: u32) -> bool {
    let counts = back_at(held_at(id));
    let serving = front_at(station_at(id) + 2u).x;
    return structure[plan.blocking + id].y != 0u && counts.x != 0u && counts.y == 0u && serving == 0u;
}

// Whether the open station and all that its tokens wait for, over others, make no room for each other. Stations that have been
// found are linked, the last one with itself.
fn is_deadlock() -> bool {
    keep_counts();
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
            let goal = structure[plan.edges + 2u * back_at(token_at(token)).y].y;
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
