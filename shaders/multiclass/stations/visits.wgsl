// multiclass/stations/visits: tokens leave stations.
// Reads and writes: held.

import duty::{follower, gives_server};
import full::{hold, is_held, makes_room};
import package::multiclass::parameters::{NONE};
import package::multiclass::pending::{take_event};
import package::multiclass::queues::waiting::{Guest, guest, stop_waiting, take_next};
import package::multiclass::routes::moves::{go, send_on};
import package::multiclass::state::{back_at, back_wide, front_at, mine, row_at, set_back};
import package::multiclass::stations::presence::{goes_from_here};
import package::multiclass::stations::rules::{impatience_of, visit_of};
import package::multiclass::stations::station::{site};
import package::multiclass::statistics::accounts::{Served, account_of, add_back, count_two, counted_since, enter_presence, enter_service};
import package::multiclass::statistics::annex::{PATIENCE_SUM};
import package::multiclass::tokens::{CLASS, COUNTED, INTERRUPTED, token_at};
import repeats::{is_repeated, repeated_way, serve_again, served_from};
import seen::{sees_blocked, sees_end, sees_leave};
import shares::{has_clock, part, time_taken};
import units::{gives_units, gives_up_units, seizes_at_service, stays_held};
import ways::{way_of};
import wear::{let_go, put_down};
import word64::{wide, wide_add, wide_sub};

// A service ends. Returns who is served next, or NONE.
fn depart(token: u32) -> u32 {
    if (has_clock()) { _ = part(token); }
    put_down(token);
    let words = token_at(token);
    let about = back_at(words);
    let times = row_at(words + 1u);
    let work = row_at(words + 2u);
    let account = account_of(about.x & CLASS);
    let arrived = wide(times.x, times.y);
    let begin = served_from(token, about.x, arrived);
    var since = begin;
    if ((about.x & INTERRUPTED) != 0u) { since = back_wide(words + 4u); }
    var edge = repeated_way(token, about.x);
    if (edge == NONE) { edge = way_of(token, about.x & CLASS, about.y); }
    let stays = is_held(edge, about.x & CLASS);
    let gone = select(0u, 1u, !stays && (about.x & COUNTED) != 0u);
    var presence = wide(0u, 0u);
    if (!stays) { presence = counted_since(arrived); }
    let stay = Served(about.x & ~CLASS, begin, since, wide(work.x, work.y), wide(work.z, work.w));
    enter_service(account, token, stay, presence, 1u, gone);
    sees_end(about.x & CLASS, begin, time_taken(token, stay));
    if (!stays || is_repeated(edge)) {
        sees_leave(about.x & CLASS, begin);
        sees_blocked(about.x & CLASS, wide(0u, 0u));
    }
    mine.completed = wide_add(mine.completed, wide(1u, 0u));
    site.serving -= 1u;
    if (stays && is_repeated(edge)) {
        guest = Guest(serve_again(token, about.x, edge), edge, front_at(words + 3u).x);
        return token;
    }
    if (stays) {
        set_back(words, about.x, edge);
        stays_held(token);
        hold(token, edge);
        return NONE;
    }
    goes_from_here(about.x & CLASS);
    let_go(token);
    gives_units(token);
    gives_server();
    let served = follower();
    go(token, about.x & CLASS, edge, wide(times.z, times.w));
    makes_room();
    return served;
}

// The token that is served next waits no longer, and its patience does not end. Returns it, or NONE where nobody waits.
fn call_next() -> u32 {
    if (seizes_at_service()) { return NONE; }
    let token = take_next();
    if (token != NONE) { ends_patience(token); }
    return token;
}

// The guest, a token that has waited, is served.
fn ends_patience(token: u32) {
    if ((guest.about & INTERRUPTED) == 0u && visit_of(site.id, guest.about & CLASS).patience != NONE) { _ = take_event(token); }
}

// A token has waited as long as it would.
fn renege(token: u32) {
    let words = token_at(token);
    let about = back_at(words).x;
    let times = row_at(words + 1u);
    let account = account_of(about & CLASS);
    let arrived = wide(times.x, times.y);
    stop_waiting(token);
    gives_up_units(token, about);
    goes_from_here(about & CLASS);
    count_two(account, 0u, select(0u, 1u, (about & COUNTED) != 0u), 0u);
    enter_presence(account, arrived);
    count_two(account + 3u, 0u, 0u, mine.counted);
    if (mine.counted == 1u) { add_back(account, 3u, PATIENCE_SUM, wide_sub(mine.now, arrived)); }
    send_on(token, about & CLASS, wide(times.z, times.w), impatience_of(site.id).reneges_to);
    makes_room();
}
