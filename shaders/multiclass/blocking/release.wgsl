// multiclass/blocking/release: who has waited for room goes.
// Reads: parameters. Reads and writes: held.

import class_counts::{limits_classes};
import duty::{gives_server};
import package::lib::wide::{wide_maximum};
import package::multiclass::blocking::holding::{blocked, held_at, is_full, lacks_room, unlink};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::routes::moves::{go};
import package::multiclass::state::{back_at, back_wide, front_at, front_wide, mine, set_front};
import package::multiclass::stations::presence::{goes_from_here};
import package::multiclass::stations::station::{open_station, site};
import package::multiclass::statistics::accounts::{account_of, add_back, count_two, enter_presence};
import package::multiclass::statistics::annex::{BLOCKED_SUM};
import package::multiclass::tokens::{CLASS, COUNTED, token_at};
import repeats::{served_from};
import rooms::{has_room_now};
import seen::{sees_blocked, sees_leave};
import units::{gives_units};
import wear::{let_go};
import word64::{wide_sub};

// Whether a station lets in who waits, and which; and the token by whose going it has come to that, or NONE. Such tokens are on
// their way, and have in word 0 the station and the token that it goes on with then.
var<private> is_admitting: bool;
var<private> admits: u32;
var<private> last_released: u32;

// One more than a station that lets in who waits for room there when that is done, or 0.
var<private> admits_then: u32;

// The open station lets in who waits for room there; one that was to do so comes behind it.
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

// That token, and the one before it in the list.
var<private> released: u32;
var<private> before_released: u32;

// Looks for the first token that waits for room at a station and has some. Where classes have room of their own it need not be the first
// of all.
fn finds_released() -> bool {
    if (!limits_classes() && is_full(admits)) { return false; }
    before_released = NONE;
    released = front_at(held_at(admits)).x;
    while (released != NONE) {
        let about = back_at(token_at(released));
        if (!lacks_room(about.y, about.x & CLASS, back_at(token_at(released) + 3u).x)) { return true; }
        before_released = released;
        released = front_at(token_at(released)).y;
    }
    return false;
}

// The token that was found goes. Its station lets in who waits for that, and the other one goes on
// then.
fn release() {
    let token = released;
    take_behind(token, admits, before_released);
    set_front(token_at(token), admits, last_released);
    last_released = token;
    admits = back_at(token_at(token) + 3u).x;
    open_station(admits);
    has_room_now(admits);
    let_out(token);
}

// Takes a token out of the list of those that wait for room at a station, where another one is before it, or NONE.
fn take_behind(token: u32, goal: u32, before: u32) {
    let ends = front_at(held_at(goal));
    let next = front_at(token_at(token)).y;
    let last = select(ends.y, before, next == NONE);
    if (before == NONE) {
        set_front(held_at(goal), next, last);
    } else {
        set_front(token_at(before), NONE, next);
        set_front(held_at(goal), ends.x, last);
    }
}

fn take_out(token: u32, goal: u32) {
    var before = NONE;
    var other = front_at(held_at(goal)).x;
    while (other != token) {
        before = other;
        other = front_at(token_at(other)).y;
    }
    take_behind(token, goal, before);
}

// A token of the open station that has waited for room goes.
fn let_out(token: u32) {
    let words = token_at(token);
    blocked -= 1u;
    unlink(token);
    let about = back_at(words);
    let account = account_of(about.x & CLASS);
    count_two(account, 0u, select(0u, 1u, (about.x & COUNTED) != 0u), 0u);
    enter_presence(account, front_wide(words + 1u));
    if (mine.counted == 1u) {
        add_back(account, 4u, BLOCKED_SUM, wide_sub(mine.now, wide_maximum(front_wide(words + 2u), plan.warmup)));
    }
    sees_leave(about.x & CLASS, served_from(token, about.x, front_wide(words + 1u)));
    sees_blocked(about.x & CLASS, wide_sub(mine.now, front_wide(words + 2u)));
    goes_from_here(about.x & CLASS);
    let_go(token);
    gives_units(token);
    gives_server();
    go(token, about.x & CLASS, about.y, back_wide(words + 1u));
}
