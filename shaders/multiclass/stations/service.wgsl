// multiclass/stations/service: services at the open station begin and go on.
// Reads and writes: replication_state.

import constants::{IS_LEAN};
import package::lib::pcg32::{draw};
import package::lib::service::{service_time};
import package::lib::time::{Time};
import package::multiclass::parameters::{NONE, law_at};
import package::multiclass::pending::{DEPARTURE, add_event};
import package::multiclass::queues::waiting::{guest};
import package::multiclass::routes::rules::{edge_of};
import package::multiclass::state::{mine};
import package::multiclass::stations::rules::{visit_of};
import package::multiclass::stations::station::{site};
import package::multiclass::tokens::{CLASS, DRAWN, Links, Numbers, Service, interruption_of, is_drawn, is_interrupted, service_of, set_links, set_numbers, set_service, times_of};
import attributes::{service_by};
import bulks::{batch_time, is_first_member, time_by_batch};
import deadlines::{cut_service};
import repeats::{repeated_way, served_from};
import fold::{folds_start};
import groups::{law_by_group, time_by_group};
import histograms::{sees_start};
import shares::{has_clock, join};
import stops::{waits_in_server};
import time_factors::{time_begun_now};
import wear::{take_up};
import word64::{wide_add};

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
    if (is_first_member()) {
        let own = service_by(law_by_group(visit.service, guest.about), token, guest.about & CLASS);
        service = time_by_batch(time_begun_now(time_by_group(own, guest.about)));
    }
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
    work = cut_service(token, work);
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
