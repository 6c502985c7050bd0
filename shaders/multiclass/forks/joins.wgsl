// multiclass/forks/joins: siblings wait for each other at stations that join, and are one token again.
// Reads: parameters, model_table. Reads and writes: replication_state.

import full::{lets_in_here, makes_room};
import package::multiclass::forks::aside::{is_gone, steps_aside, steps_back};
import package::multiclass::forks::forks::{count_forks, end_siblings, siblings_of};
import package::multiclass::forks::rows::{
    Forked, Gathering, forked_of, gathering_of, set_forked, set_gathering, set_siblings, siblings_at,
};
import package::multiclass::forks::rules::{joining_of};
import package::multiclass::parameters::{NONE};
import package::multiclass::routes::moves::{comer, comes_to, moves_about, moves_entered};
import package::multiclass::state::{mine};
import package::multiclass::stations::station::{close_station, open_station, site};
import package::multiclass::tokens::{CLASS, links_of, times_of};

// Set where a replication ends since siblings wait at several stations: the bit beside their number.
const APART: u32 = 0x80000000u;

fn stays_aside(token: u32, class_of: u32, number: u32) {
    steps_aside(token, class_of);
    set_forked(token, Forked(number, NONE, 1u + site.id));
    var siblings = siblings_at(number);
    siblings.waiting += 1u;
    set_siblings(number, siblings);
    let others = gathering_of(number);
    if (others.last == NONE) {
        set_gathering(number, Gathering(token, token, site.id, others.is_apart));
        return;
    }
    set_forked(others.last, Forked(number, token, forked_of(others.last).waits_at));
    let is_apart = others.is_apart | select(0u, 1u, others.station != site.id);
    set_gathering(number, Gathering(others.first, token, others.station, is_apart));
}

// All siblings wait at the open station: they become one token again, the sibling that came last.
fn join_all(number: u32) {
    let siblings = siblings_at(number);
    let all = gathering_of(number);
    count_forks(0u, mine.counted * (siblings.left - 1u));
    var token = all.first;
    loop {
        let next = forked_of(token).behind;
        let class_of = links_of(token).about & CLASS;
        steps_back(token, class_of, token == all.last);
        if (token == all.last) { break; }
        is_gone(token, class_of, all.last);
        token = next;
    }
    end_siblings(number);
    set_forked(token, Forked(siblings.outer, NONE, 0u));
}

// Whether the comer waits for others at the open station; and, where it does not or is the last of them, who goes on.
fn awaits_others(token: u32) -> bool { return siblings_of(token) != NONE && joining_of(site.id).joins != 0u; }
fn goes_on_as(token: u32) -> u32 { return token; }

// Whether a token at the open station waits for its siblings, or for those of an earlier split.
fn waits_to_be_one(token: u32, class_of: u32) -> bool {
    loop {
        let number = siblings_of(token);
        if (number == NONE || joining_of(site.id).joins == 0u) { break; }
        stays_aside(token, class_of, number);
        let siblings = siblings_at(number);
        if (siblings.waiting != siblings.left || !becomes_one(number)) { return true; }
    }
    return false;
}

fn becomes_one(number: u32) -> bool {
    if (gathering_of(number).is_apart != 0u) {
        mine.stuck = APART | number;
        return false;
    }
    join_all(number);
    // Siblings of such a token may have been joined here, too.
    if (!lets_in_here()) { makes_room(); }
    return true;
}

// All remaining siblings wait: the one that came last goes on, as the arriving token at its station.
fn goes_on_joined(number: u32) {
    let token = gathering_of(number).last;
    open_station(forked_of(token).waits_at - 1u);
    if (becomes_one(number)) {
        comer = token;
        comes_to = site.id;
        moves_about = links_of(token).about & CLASS;
        moves_entered = times_of(token).entered;
    }
    close_station();
}
