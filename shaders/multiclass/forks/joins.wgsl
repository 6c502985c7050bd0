// multiclass/forks/joins: siblings wait for each other at stations that join, and are one token again.
// Reads: parameters, model_table. Reads and writes: replication_state.

import full::{lets_in_here, makes_room};
import package::multiclass::forks::forks::{count_forks, end_siblings, siblings_of};
import package::multiclass::forks::rows::{
    Forked, Gathering, forked_of, gathering_of, set_forked, set_gathering, set_siblings, siblings_at,
};
import package::multiclass::parameters::{NONE, plan, model_row};
import package::multiclass::places::{put_back};
import package::multiclass::routes::moves::{comer, comes_to, moves_about, moves_entered};
import package::multiclass::rows::{back_wide, set_back_wide, station_at};
import package::multiclass::state::{came, mine};
import package::multiclass::stations::presence::{comes_here, goes_from_here};
import package::multiclass::stations::station::{close_station, open_station, site};
import package::multiclass::statistics::account_rows::{count_two};
import package::multiclass::statistics::accounts::{account_of, counted_since, enter_presence};
import package::multiclass::statistics::annex::{JOINING_SUM, annex_of, carry, enter_carries};
import package::multiclass::tokens::{CLASS, Times, links_of, set_about, set_times, times_of};
import histograms::{sees_joined, sees_leave};
import units::{pass_units, stands_aside};
import word64::{Wide, wide_add, wide_sub};

// Set where a replication ends since siblings wait at several stations: the bit beside their number.
const APART: u32 = 0x80000000u;

// Tokens of the open station that wait for their siblings.
var<private> aside: u32;
fn aside_row(id: u32) -> u32 { return station_at(id) + plan.aside; }
// 1 where siblings wait for each other at a station.
struct Joining { joins: u32 }

fn joins(id: u32) -> bool {
    let row = model_row(plan.joining + id);
    return Joining(row.x).joins != 0u;
}

fn stays_aside(token: u32, class_of: u32, number: u32) {
    comes_here(class_of);
    aside += 1u;
    set_about(token, class_of, 0u);
    set_times(token, Times(mine.now, moves_entered));
    stands_aside(token);
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

// Enters that a token waits for its siblings no longer, and whether it goes on.
fn enter_join(account: u32, joining: Wide, goes_on: bool) {
    let row = annex_of(account) + 2u;
    let before = back_wide(row);
    let after = wide_add(before, joining);
    set_back_wide(row, after);
    enter_carries(account, 1u, JOINING_SUM * carry(after, before));
    count_two(row + 1u, 0u, mine.counted, select(mine.counted, 0u, goes_on));
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
        aside -= 1u;
        let arrived = times_of(token).arrived;
        let account = account_of(class_of);
        enter_presence(account, arrived);
        enter_join(account, counted_since(arrived), token == all.last);
        sees_joined(class_of, wide_sub(mine.now, arrived));
        goes_from_here(class_of);
        if (token == all.last) { break; }
        sees_leave(class_of, arrived);
        pass_units(token, all.last);
        set_forked(token, Forked(NONE, NONE, 0u));
        put_back(token);
        came(NONE, class_of);
        token = next;
    }
    end_siblings(number);
    set_forked(token, Forked(siblings.outer, NONE, 0u));
}

// Whether a token at the open station waits for its siblings, or for those of an earlier split.
fn waits_to_be_one(token: u32, class_of: u32) -> bool {
    loop {
        let number = siblings_of(token);
        if (number == NONE || !joins(site.id)) { break; }
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
