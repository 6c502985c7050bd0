// multiclass/visits: tokens leave stations.
// Reads and writes: held.

import duty::{follower};
import full::{at_once, expected_at, hold, is_held, makes_room};
import package::lib::time::{Time};
import package::multiclass::accounts::{FAULT_PATIENCE, account_of, add_back, count_two, counted_since, enter_presence, enter_service};
import package::multiclass::parameters::{NONE, parameters, structure, visit_of};
import package::multiclass::pending::{ARRIVAL, add_event, take_event};
import package::multiclass::state::{back_at, back_wide, came, front_at, front_wide, mine, set_back};
import package::multiclass::station::{site};
import package::multiclass::tokens::{CLASS, COUNTED, INTERRUPTED, free_token, token_at};
import package::multiclass::waiting::{stop_waiting};
import shares::{is_shared, part};
import ways::{way_of};
import word64::{wide, wide_add, wide_high, wide_low, wide_sub};

// The token that comes to a station or a sink at this time, or NONE, and where.
var<private> comer: u32;
var<private> comes_to: u32;

// The token that leaves the open station, or NONE, for where, and how long that takes.
var<private> leaver: u32;
var<private> leaves_for: u32;
var<private> transit: Time;

// The leaver is on its way. What comes at once is the next event where nothing else is pending at this time.
fn travel() {
    let token = leaver;
    leaver = NONE;
    let departure = site.departures;
    site.departures += 1u;
    if (at_once() && (wide_low(transit) | wide_high(transit)) == 0u) {
        comer = token;
        comes_to = leaves_for;
        return;
    }
    let arrival = front_at(token_at(token) + 3u).x;
    add_event(ARRIVAL | site.id, token, vec2<u32>(arrival, departure), leaves_for, wide_add(mine.now, transit));
}

fn sets_out(token: u32, to: u32, delay: Time) {
    leaver = token;
    leaves_for = to;
    transit = delay;
}

// A token goes elsewhere without a service.
fn send_on(token: u32, to: u32) {
    if (to == NONE) {
        free_token(token);
        came(NONE);
    } else {
        sets_out(token, to, wide(0u, 0u));
    }
}

// A service ends. Returns who is served next, or NONE.
fn depart(token: u32) -> u32 {
    if (is_shared()) { part(token); }
    let words = token_at(token);
    let about = back_at(words);
    let account = account_of(about.x & CLASS);
    let arrived = front_wide(words + 1u);
    var since = arrived;
    if ((about.x & INTERRUPTED) != 0u) { since = back_wide(words + 4u); }
    let edge = way_of(about.x & CLASS, about.y);
    let held = is_held(edge);
    let gone = select(0u, 1u, !held && (about.x & COUNTED) != 0u);
    var presence = wide(0u, 0u);
    if (!held) { presence = counted_since(arrived); }
    enter_service(account, token, about.x & ~CLASS, since, presence, 1u, gone);
    mine.completed = wide_add(mine.completed, wide(1u, 0u));
    site.serving -= 1u;
    if (held) {
        set_back(words, about.x, edge);
        hold(token, edge);
        return NONE;
    }
    site.present -= 1u;
    let served = follower();
    go(token, edge);
    makes_room();
    return served;
}

// A token that has been served leaves the open station by a route.
fn go(token: u32, edge: u32) {
    let row = structure[parameters.edges + 2u * edge];
    let delay = structure[parameters.edges + 2u * edge + 1u];
    set_back(token_at(token), row.z | expected_at(row.y), 0u);
    sets_out(token, row.y, wide(delay.x, delay.y));
}

// A token waits no longer, and its patience does not end.
fn leave_queue(token: u32) {
    let about = back_at(token_at(token)).x;
    stop_waiting(token);
    if ((about & INTERRUPTED) == 0u && visit_of(site.id, about & CLASS).w != NONE) { _ = take_event(token); }
}

// A token has waited as long as it would.
fn renege(token: u32) {
    let words = token_at(token);
    let about = back_at(words).x;
    let account = account_of(about & CLASS);
    let arrived = front_wide(words + 1u);
    stop_waiting(token);
    site.present -= 1u;
    count_two(account, 0u, select(0u, 1u, (about & COUNTED) != 0u), 0u);
    enter_presence(account, arrived);
    count_two(account + 3u, 0u, 0u, mine.counted);
    if (mine.counted == 1u) { add_back(account + 3u, wide_sub(mine.now, arrived), FAULT_PATIENCE); }
    set_back(words, about & CLASS, 0u);
    send_on(token, structure[2u * site.id + 1u].w);
    makes_room();
}
