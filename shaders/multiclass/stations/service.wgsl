// multiclass/stations/service: services at the open station begin, go on and are interrupted.
// Reads and writes: replication_state.

import constants::{IS_LEAN};
import package::lib::pcg32::{draw};
import package::lib::service::{service_time};
import package::lib::time::{Time};
import package::multiclass::parameters::{NONE, law_at, plan};
import package::multiclass::pending::{DEPARTURE, add_event, event_of, hole, take_event};
import package::multiclass::queues::orders::{is_last};
import package::multiclass::queues::waiting::{guest, join_queue};
import package::multiclass::routes::rules::{edge_of};
import package::multiclass::state::{mine};
import package::multiclass::stations::rules::{OF_ALL, level_of, visit_of};
import package::multiclass::stations::station::{site};
import package::multiclass::statistics::account_rows::{count_preempted};
import package::multiclass::statistics::accounts::{Served, account_of, enter_service};
import package::multiclass::tokens::{CLASS, DRAWN, INTERRUPTED, Interruption, Links, Numbers, Service, interruption_of, is_drawn, is_interrupted, links_of, service_of, set_interruption, set_links, set_numbers, set_service, times_of};
import bulks::{batch_time, is_first_member, time_by_batch};
import repeats::{repeated_way, served_from};
import fold::{folds_end, folds_start};
import groups::{law_by_group, time_by_group};
import histograms::{sees_start};
import shares::{has_clock, join, last_by_clock, part};
import stops::{waits_in_server};
import wear::{let_go, put_down, take_up};
import word64::{wide, wide_add, wide_sub};

// The token at the open station whose service is to be interrupted, or NONE.
var<private> paused: u32;

// A time by a law, drawn from the station's stream.
fn drawn_time(law: u32) -> Time {
    var stream = site.stream;
    let time = service_time(law_at(law), &stream);
    site.stream = stream;
    return time;
}

// Draws a service of the guest and its route.
fn draw_service(token: u32) -> Time {
    let visit = visit_of(site.id, guest.about & CLASS);
    var service = batch_time();
    if (is_first_member()) { service = time_by_batch(time_by_group(drawn_time(law_by_group(visit.service, guest.about)), guest.about)); }
    var stream = site.stream;
    let drawn = edge_of(visit, draw(&stream));
    guest.edge = repeated_way(token, guest.about);
    if (guest.edge == NONE) { guest.edge = drawn; }
    site.stream = stream;
    guest.about |= DRAWN;
    // Where networks are lean the event of the service has all that is new.
    if (!IS_LEAN) {
        set_links(token, Links(NONE, NONE, guest.about, guest.edge));
        set_service(token, Service(mine.now, service));
    }
    return service;
}

// A service of the guest begins, or goes on.
fn serve(token: u32) {
    var work = mine.now;
    if (!is_drawn(guest.about)) {
        work = draw_service(token);
    } else {
        work = service_of(token).service;
        set_service(token, Service(mine.now, work));
        if (is_interrupted(guest.about)) { work = interruption_of(token).left; }
    }
    if (waits_in_server(token)) { return; }
    if (is_interrupted(guest.about)) {
        folds_start(guest.about & CLASS, interruption_of(token).since, 0u);
    } else {
        let since = served_from(token, guest.about, times_of(token).arrived);
        sees_start(guest.about & CLASS, since, work);
        folds_start(guest.about & CLASS, since, 1u);
    }
    let numbers = vec2<u32>(guest.arrival, site.services);
    site.services += 1u;
    if (has_clock()) {
        set_numbers(token, Numbers(numbers.x, numbers.y, NONE, NONE));
        join(token, work);
    } else {
        add_event(DEPARTURE | site.id, token, numbers, guest.edge, wide_add(mine.now, work));
    }
    site.serving += 1u;
    take_up(token);
}

// The last in the order of service of those that the open station serves, or NONE.
fn last_served() -> u32 {
    if (has_clock()) { return last_by_clock(); }
    var last = NONE;
    for (var place = plan.fixed; place < mine.pending; place += 1u) {
        let event = event_of(place);
        if (place == hole || event.what != (DEPARTURE | site.id)) { continue; }
        if (last == NONE || is_last(event.token, last)) { last = event.token; }
    }
    return last;
}

// Interrupts a service: its token waits for the rest of it.
fn pause(token: u32) {
    let links = links_of(token);
    let account = account_of(links.about & CLASS);
    let begin = served_from(token, links.about, times_of(token).arrived);
    let work = service_of(token);
    var since = begin;
    if (is_interrupted(links.about)) { since = interruption_of(token).since; }
    enter_service(account, token, Served(links.about & ~CLASS, begin, since, work.start, work.service), wide(0u, 0u), 0u, 0u);
    count_preempted(account, mine.counted);
    var left: Time;
    if (has_clock()) { left = part(token); } else { left = wide_sub(take_event(token), mine.now); }
    set_interruption(token, Interruption(left, mine.now));
    site.serving -= 1u;
    folds_end(links.about & CLASS);
    put_down(token);
    let_go(token);
    join_queue(token, links.about | INTERRUPTED, links.edge);
}

// Whether a token of this priority interrupts the last token in the order of service, which is paused then.
fn interrupts(level: u32) -> bool {
    let last = last_served();
    if (last == NONE) { return false; }
    let last_level = level_of(links_of(last).about & CLASS);
    if (level > last_level || (level == last_level && site.rules.preemption != OF_ALL)) { return false; }
    paused = last;
    return true;
}
