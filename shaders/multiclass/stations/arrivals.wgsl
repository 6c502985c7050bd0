// multiclass/stations/arrivals: tokens come to stations and sinks.
// Reads and writes: replication_state.

import constants::{HAS_IMPATIENCE, HAS_INTERRUPTIONS, HAS_OVERFLOW, IS_LEAN, IS_PACKED};
import attributes::{gives_up_at};
import deadlines::{forgets_patience, notes_end_of_patience};
import forks::{comes_anew, is_joined, joined, waits_for_siblings};
import fold::{folds_arrival, folds_unserved};
import full::{check_held, finds_room, makes_room};
import groups::{finds_server, looks_for_group};
import package::multiclass::packed::{set_packed};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::pending::{PATIENCE, add_event};
import package::multiclass::places::{free_token};
import package::multiclass::queues::orders::{knows_services};
import package::multiclass::queues::waiting::{Guest, guest, join_queue};
import package::multiclass::routes::leave::{leave};
import package::multiclass::routes::moves::{comer, comes_to, moves_about, moves_entered, send_on};
import package::multiclass::state::{came, mine};
import package::multiclass::stations::balking::{balks, goes_on};
import package::multiclass::stations::presence::{comes_here};
import package::multiclass::stations::rules::{OF_LOWER, impatience_of, level_of, overflow_of, visit_of};
import package::multiclass::stations::interruptions::{interrupts};
import package::multiclass::stations::service::{draw_service};
import package::multiclass::stations::station::{open_station, site};
import package::multiclass::statistics::account_rows::{count_arrivals, count_balked, count_losses};
import package::multiclass::statistics::accounts::{account_of};
import package::multiclass::tokens::{CLASS, COUNTED, Links, Numbers, Times, set_links, set_numbers, set_times};
import stops::{fills};
import units::{seizes, stays_at};

// The comer comes to a sink or to a station, which it opens. Returns the token that is served then, or NONE.
fn arrive(is_first: bool) -> u32 {
    let token = comer;
    comer = NONE;
    let class_of = moves_about & CLASS;
    if (comes_to >= plan.stations) {
        leave(token, comes_to - plan.stations, class_of, moves_entered);
        return NONE;
    }
    open_station(comes_to);
    let is_anew = comes_anew();
    if (!is_first && !is_anew) {
        folds_arrival(class_of);
        if (!finds_room()) {
            count_arrivals(account_of(class_of), mine.counted);
            count_losses(account_of(class_of), mine.counted);
            folds_unserved(class_of);
            if (HAS_OVERFLOW && overflow_of(site.id).goal != NONE) {
                goes_on();
                send_on(token, class_of, moves_entered, overflow_of(site.id).goal);
                return NONE;
            }
            mine.lost += 1u - mine.counted;
            free_token(token);
            came(NONE, class_of);
            return NONE;
        }
        if (balks()) {
            count_arrivals(account_of(class_of), mine.counted);
            count_balked(account_of(class_of), mine.counted);
            folds_unserved(class_of);
            goes_on();
            send_on(token, class_of, moves_entered, impatience_of(site.id).balks_to);
            makes_room();
            return NONE;
        }
    }
    let counts = mine.counted == 1u && !is_first && !is_anew;
    var flags = select(0u, COUNTED, counts);
    var one = token;
    var class_of_one = class_of;
    if (is_joined(token)) {
        count_arrivals(account_of(class_of), select(0u, 1u, counts));
        if (waits_for_siblings(token, class_of)) {
            fills(site.id);
            return NONE;
        }
        one = joined(token);
        class_of_one = moves_about & CLASS;
        flags = 0u;
    }
    fills(site.id);
    return admit(one, class_of_one, flags);
}

// A token joins the open station. Returns the token where it is served at once, else NONE.
fn admit(token: u32, class_of: u32, flags: u32) -> u32 {
    comes_here(class_of);
    guest = Guest(class_of | flags, 0u, site.arrivals);
    if (!IS_PACKED) { set_times(token, Times(mine.now, moves_entered)); }
    let numbers = vec2<u32>(site.arrivals, site.arrivals);
    site.arrivals += 1u;
    var law = NONE;
    if (HAS_IMPATIENCE) { law = visit_of(site.id, class_of).patience; }
    var patience = mine.now;
    forgets_patience();
    if (law != NONE) {
        patience = gives_up_at(law, token, class_of);
        notes_end_of_patience(patience);
    }
    if (knows_services()) { _ = draw_service(token); }
    guest.about |= stays_at(token);
    if (!seizes()) {
        if (finds_server(class_of)) {
            // Where a network is not lean the draw of the service writes this row.
            let links = Links(NONE, NONE, guest.about, NONE);
            if (IS_PACKED) {
                set_packed(token, links, Times(mine.now, moves_entered));
            } else if (IS_LEAN) {
                set_links(token, links);
            }
            return token;
        }
        if (HAS_INTERRUPTIONS && site.rules.preemption >= OF_LOWER && interrupts(token, level_of(class_of))) { return token; }
    }
    if (law != NONE) {
        let place = add_event(PATIENCE | site.id, token, numbers, 0u, patience);
        if (IS_LEAN) { guest.edge = place; }
    } else if (!IS_LEAN) {
        set_numbers(token, Numbers(numbers.x, numbers.y, NONE, NONE));
    }
    join_queue(token, guest.about, guest.edge);
    looks_for_group(class_of);
    check_held();
    return NONE;
}
