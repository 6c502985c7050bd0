// queueing/visit: how a visit goes, from the state of its station when the token arrives: for arrivals and the initial
// state. The n-th visit takes the n-th group of draws of the station's stream: the service time's, then the route's.

import package::lib::pcg32::{Stream, draw};
import package::lib::service::{service_time};
import package::lib::time::{Time, never};
import package::queueing::records::{FAULT_VISITS, NONE, Station, Visit, parameters};
import classes::{count_service, count_admission};
import faults::{raise};
import observation::{observe};
import routes::{edge_for};
import servers::{occupy};
import shifts::{begins};
import topology::{Site, delay_of, law_of, route};
import visit_clock::{arrival_after, duration};
import word64::{Wide, wide_add, wide_less, wide_sub};

fn serve(site: Site, station: ptr<function, Station>, arrived: Time) -> Visit {
    let number = (*station).visits;
    (*station).visits = number + 1u;
    if (number == NONE) { raise(FAULT_VISITS, site.id); }
    count_admission(site);
    let start = begins(site, station, arrived);
    if (!wide_less(start, parameters.until)) {
        occupy(site, station, never(), never());
        observe(site, arrived, never(), never());
        return Visit(never(), never(), route(site, 0u), number);
    }
    var stream = Stream((*station).state, site.increment);
    let time = service_time(law_of(site), &stream);
    let edge = edge_for(site, draw(&stream));
    (*station).state = stream.state;
    let lasting = duration(site, start, time);
    count_service(site, station, lasting, wide_sub(start, arrived));
    let end = wide_add(start, lasting);
    occupy(site, station, start, end);
    observe(site, arrived, start, end);
    return Visit(start, arrival_after(end, delay_of(edge)), edge, number);
}

fn add_sums(station: ptr<function, Station>, service: Wide, waiting: Wide) {
    (*station).service = wide_add((*station).service, service);
    if (wide_less((*station).service, service)) { (*station).service_top += 1u; }
    (*station).waiting = wide_add((*station).waiting, waiting);
    if (wide_less((*station).waiting, waiting)) { (*station).waiting_top += 1u; }
}
