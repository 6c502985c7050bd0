// multiclass/stations/arrivals: tokens come to stations and sinks.
// Reads and writes: replication_state.

import constants::{HAS_IMPATIENCE, HAS_INTERRUPTIONS, IS_LEAN};
import server_schedule::{has_server};
import forks::{comes_anew, is_joined, waits_for_siblings};
import full::{check_held, finds_room, makes_room};
import package::lib::faults::{raise};
import package::lib::pcg32::{draw};
import package::lib::wide::{wide_differs};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::pending::{PATIENCE, add_event};
import package::multiclass::queues::orders::{knows_services};
import package::multiclass::queues::waiting::{Guest, guest, join_queue};
import package::multiclass::routes::leave::{leave};
import package::multiclass::routes::moves::{comer, comes_to, moves_about, moves_entered, send_on};
import package::multiclass::state::{came, happened, mine};
import package::multiclass::stations::presence::{comes_here};
import package::multiclass::stations::rules::{balking_share, impatience_of, level_of, visit_of};
import package::multiclass::stations::service::{OF_LOWER, draw_service, drawn_time, interrupts};
import package::multiclass::stations::station::{open_station, site};
import package::multiclass::statistics::account_rows::{count_arrivals, count_balked, count_losses};
import package::multiclass::statistics::accounts::{account_of};
import package::multiclass::tokens::{CLASS, COUNTED, Links, Numbers, Times, free_token, set_links, set_numbers, set_times};
import stops::{fills};
import units::{seizes, stays_at};
import word64::{wide, wide_add, wide_less};

const MOST_BALKED: u32 = 4194304u;
const FAULT_CIRCLE: u32 = 64u;
// The tokens in sequence that may balk within one event.
const AT_ONCE: u32 = 8u;

// Whether a token that finds so many tokens present balks.
fn balks() -> bool {
    if (!HAS_IMPATIENCE) { return false; }
    let impatience = impatience_of(site.id);
    if (impatience.count == 0u) { return false; }
    let share = balking_share(impatience.first + min(site.present, impatience.count - 1u));
    var stream = site.stream;
    let place = wide(draw(&stream), 0u);
    site.stream = stream;
    return wide_less(place, share);
}

// Counts the tokens that balk at an instant: stations may send tokens round in a circle.
fn goes_on() {
    happened += 1u;
    if (wide_differs(mine.balked_at, mine.now)) { mine.balked = 0u; }
    mine.balked_at = mine.now;
    mine.balked += 1u;
    if (mine.balked > MOST_BALKED) { raise(FAULT_CIRCLE, site.id); }
    // Looks for other events now and then.
    if (mine.balked % AT_ONCE == 0u) { mine.alone = false; }
}

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
        if (!finds_room()) {
            count_arrivals(account_of(class_of), mine.counted);
            count_losses(account_of(class_of), mine.counted);
            mine.lost += 1u - mine.counted;
            free_token(token);
            came(NONE, class_of);
            return NONE;
        }
        if (balks()) {
            count_arrivals(account_of(class_of), mine.counted);
            count_balked(account_of(class_of), mine.counted);
            goes_on();
            send_on(token, class_of, moves_entered, impatience_of(site.id).balks_to);
            makes_room();
            return NONE;
        }
    }
    let counts = mine.counted == 1u && !is_first && !is_anew;
    var flags = select(0u, COUNTED, counts);
    if (is_joined(token)) {
        count_arrivals(account_of(class_of), select(0u, 1u, counts));
        if (waits_for_siblings(token, class_of)) {
            fills(site.id);
            return NONE;
        }
        flags = 0u;
    }
    fills(site.id);
    return admit(token, class_of, flags);
}

// A token joins the open station. Returns the token where it is served at once, else NONE.
fn admit(token: u32, class_of: u32, flags: u32) -> u32 {
    comes_here(class_of);
    guest = Guest(class_of | flags, 0u, site.arrivals);
    set_times(token, Times(mine.now, moves_entered));
    let numbers = vec2<u32>(site.arrivals, site.arrivals);
    site.arrivals += 1u;
    var law = NONE;
    if (HAS_IMPATIENCE) { law = visit_of(site.id, class_of).patience; }
    var patience = mine.now;
    if (law != NONE) { patience = wide_add(mine.now, drawn_time(law)); }
    if (knows_services()) { _ = draw_service(token); }
    guest.about |= stays_at(token);
    if (!seizes()) {
        if (has_server()) {
            // Where a network is not lean the draw of the service writes this row.
            if (IS_LEAN) { set_links(token, Links(NONE, NONE, guest.about, NONE)); }
            return token;
        }
        if (HAS_INTERRUPTIONS && site.rules.preemption >= OF_LOWER && interrupts(level_of(class_of))) { return token; }
    }
    if (law != NONE) {
        let place = add_event(PATIENCE | site.id, token, numbers, 0u, patience);
        if (IS_LEAN) { guest.edge = place; }
    } else if (!IS_LEAN) {
        set_numbers(token, Numbers(numbers.x, numbers.y, NONE, NONE));
    }
    join_queue(token, guest.about, guest.edge);
    check_held();
    return NONE;
}
