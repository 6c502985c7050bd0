// multiclass/stations/visits: tokens leave stations.
// Reads and writes: replication_state.

import constants::{HAS_IMPATIENCE, IS_LEAN};
import server_schedule::{follower, gives_server};
import full::{hold, is_held, makes_room};
import package::multiclass::parameters::{NONE};
import package::multiclass::pending::{detail_of, hole, take_event};
import package::multiclass::queues::waiting::{Guest, guest, stop_waiting, take_next};
import package::multiclass::routes::moves::{go, send_on};
import package::multiclass::state::{mine};
import package::multiclass::stations::balking::{counts_move};
import package::multiclass::stations::presence::{goes_from_here};
import package::multiclass::stations::rules::{impatience_of, visit_of};
import package::multiclass::stations::station::{site};
import package::multiclass::statistics::account_rows::{count_arrivals, count_reneged};
import package::multiclass::statistics::accounts::{Served, account_of, add_patience, counted_since, enter_presence, enter_service};
import package::multiclass::tokens::{CLASS, COUNTED, Service, interruption_of, is_interrupted, links_of, numbers_of, service_of, set_about, times_of};
import repeats::{is_repeated, repeated_way, serve_again, served_from};
import fold::{folds_end, folds_unserved};
import attributes::{may_be_late};
import bulks::{has_waited, waits_no_longer};
import deadlines::{counts_abandoned, forgets_patience, is_abandoned, notes_end_of_patience};
import groups::{leaves_group, looks_for_group};
import histograms::{sees_blocked, sees_end, sees_leave};
import shares::{has_clock, part, time_taken};
import units::{gives_units, gives_up_units, seizes_at_service, stays_held};
import ways::{way_of};
import wear::{let_go, put_down};
import word64::{wide, wide_add, wide_less, wide_sub};

// A service ends. Returns the token that is served next, or NONE.
fn depart(token: u32) -> u32 {
    if (has_clock()) { _ = part(token); }
    put_down(token);
    let links = links_of(token);
    let times = times_of(token);
    var work: Service;
    var drawn = links.edge;
    if (IS_LEAN) {
        let detail = detail_of(hole);
        work = Service(detail.start, wide_sub(mine.now, detail.start));
        drawn = detail.goal;
    } else {
        work = service_of(token);
    }
    let account = account_of(links.about & CLASS);
    let begin = served_from(token, links.about, times.arrived);
    var since = begin;
    if (is_interrupted(links.about)) { since = interruption_of(token).since; }
    let is_cut = is_abandoned(drawn);
    var edge = repeated_way(token, links.about);
    if (edge == NONE && !is_cut) { edge = way_of(token, links.about & CLASS, drawn); }
    let stays = !is_cut && is_held(edge, links.about & CLASS);
    let gone = select(0u, 1u, !stays && (links.about & COUNTED) != 0u);
    var presence = wide(0u, 0u);
    if (!stays) { presence = counted_since(times.arrived); }
    let stay = Served(links.about & ~CLASS, begin, since, work.start, work.service);
    enter_service(account, token, stay, presence, select(1u, 0u, is_cut), gone);
    sees_end(links.about & CLASS, begin, time_taken(token, stay));
    if (is_cut) {
        counts_abandoned(account);
        folds_unserved(links.about & CLASS);
    } else if (!stays || is_repeated(edge)) {
        sees_leave(links.about & CLASS, begin);
        sees_blocked(links.about & CLASS, wide(0u, 0u));
    }
    mine.completed = wide_add(mine.completed, wide(1u, 0u));
    site.serving -= 1u;
    folds_end(links.about & CLASS);
    if (stays && is_repeated(edge)) {
        guest = Guest(serve_again(token, links.about, edge), edge, numbers_of(token).arrival);
        return token;
    }
    if (stays) {
        set_about(token, links.about, edge);
        stays_held(token);
        hold(token, edge);
        return NONE;
    }
    goes_from_here(links.about & CLASS);
    let_go(token);
    leaves_group(links.about);
    gives_units(token);
    gives_server();
    let served = follower();
    if (is_cut) { send_on(token, links.about & CLASS, times.entered, impatience_of(site.id).reneges_to); }
    if (!is_cut) { go(token, links.about & CLASS, edge, times.entered); }
    makes_room();
    return served;
}

// The next token to be served waits no longer, and its patience does not end. Returns it, or NONE where no token waits.
fn call_next() -> u32 {
    if (seizes_at_service()) { return NONE; }
    forgets_patience();
    let token = take_next();
    if (token != NONE) { ends_patience(token); }
    return token;
}

// The guest, which has waited, is served.
fn ends_patience(token: u32) {
    if (!HAS_IMPATIENCE || is_interrupted(guest.about)) { return; }
    if (visit_of(site.id, guest.about & CLASS).patience != NONE && !has_waited(token)) { notes_end_of_patience(take_event(token)); }
}

// A token's patience ends.
fn renege(token: u32) {
    let about = links_of(token).about;
    if (waits_no_longer(token)) {
        looks_for_group(about & CLASS);
        return;
    }
    let times = times_of(token);
    let account = account_of(about & CLASS);
    stop_waiting(token);
    gives_up_units(token, about);
    goes_from_here(about & CLASS);
    count_arrivals(account, select(0u, 1u, (about & COUNTED) != 0u));
    enter_presence(account, times.arrived);
    count_reneged(account, mine.counted);
    folds_unserved(about & CLASS);
    if (mine.counted == 1u) { add_patience(account, wide_sub(mine.now, times.arrived)); }
    if (may_be_late() && !wide_less(times.arrived, mine.now)) { counts_move(); }
    send_on(token, about & CLASS, times.entered, impatience_of(site.id).reneges_to);
    makes_room();
}
