// multiclass/routes/moves: tokens between stations. The words of a moving token are written where it stays, or where its way
// takes time.
// Reads: model_table. Reads and writes: replication_state.

import constants::{IS_LEAN, IS_PACKED};
import forks::{has_forks, send_copies, splits};
import full::{at_once, expected_at};
import package::lib::time::{Time};
import package::multiclass::packed::{set_packed};
import package::multiclass::parameters::{NONE};
import package::multiclass::pending::{ARRIVAL, add_event, detail_of, hole};
import package::multiclass::places::{free_token};
import package::multiclass::routes::rules::{delay_of, edge_at};
import package::multiclass::state::{came, mine};
import package::multiclass::stations::station::{site};
import package::multiclass::tokens::{Links, Times, links_of, numbers_of, set_about, set_times, times_of};
import series::{notes_in_network};
import shares::{has_clock};
import stops::{fills};
import time_factors::{takes_no_time};
import units::{divides_events};
import word64::{wide, wide_add, wide_high, wide_low};

// The token that comes to a station or a sink at this time, or NONE, and the station or sink.
var<private> comer: u32;
var<private> comes_to: u32;

// The token that leaves the open station, or NONE, where it goes, and how long its way takes.
var<private> leaver: u32;
var<private> leaves_for: u32;
var<private> transit: Time;

// Of both: its class and flags, and when it came from a source. These are written where the token stays.
var<private> moves_about: u32;
var<private> moves_entered: Time;

// The leaver is on its way. Its arrival without delay is the next event where nothing else is pending at this time.
fn travel() {
    let token = leaver;
    leaver = NONE;
    // Where there is a clock, or where services take no time, another service may end now, too, which comes first.
    if (at_once() && !divides_events() && !has_forks() && !has_clock() && !takes_no_time() && (wide_low(transit) | wide_high(transit)) == 0u) {
        site.departures += 1u;
        comer = token;
        comes_to = leaves_for;
        return;
    }
    departs(token, moves_about, moves_entered, leaves_for, transit);
    send_copies();
}

// A token that leaves the open station is on its way.
fn departs(token: u32, about: u32, entered: Time, to: u32, delay: Time) {
    let times = Times(mine.now, entered);
    if (IS_PACKED) {
        set_packed(token, Links(NONE, NONE, about, NONE), times);
    } else {
        set_about(token, about, 0u);
        set_times(token, times);
    }
    add_event(ARRIVAL | site.id, token, vec2<u32>(0u, site.departures), to, wide_add(mine.now, delay));
    site.departures += 1u;
}

// A token that was on its way comes.
fn ends_way(token: u32) {
    comer = token;
    if (IS_LEAN) { comes_to = detail_of(hole).goal; } else { comes_to = numbers_of(token).goal; }
    moves_about = links_of(token).about;
    moves_entered = times_of(token).entered;
}

fn sets_out(token: u32, about: u32, entered: Time, to: u32, delay: Time) {
    leaver = token;
    moves_about = about;
    moves_entered = entered;
    leaves_for = to;
    transit = delay;
}

// A token goes elsewhere without a service.
fn send_on(token: u32, class_of: u32, entered: Time, to: u32) {
    if (to == NONE) {
        free_token(token);
        came(NONE, class_of);
    } else {
        sets_out(token, class_of, entered, to, wide(0u, 0u));
    }
}

// A token of a class that has been served leaves the open station by a route.
fn go(token: u32, class_of: u32, edge: u32, entered: Time) {
    splits(token, class_of, edge, entered);
    let route = edge_at(edge);
    if (route.becomes != class_of) {
        notes_in_network(class_of, NONE);
        notes_in_network(route.becomes, 1u);
    }
    let delay = delay_of(edge);
    sets_out(token, route.becomes | expected_at(route.goal, route.becomes), entered, route.goal, delay);
    fills(route.goal);
}
