// queueing/initialize_stations (once; one thread a station)
// What: seeds the stream of each station and decides the visits of the tokens that are there at time 0.
// Writes: stations, tokens, next_event, and the topology's words of servers.
// Afterwards: the model's state at time 0, except its sources.

import package::engine::schedule::{next_event};
import package::queueing::records::{Station, parameters};
import package::queueing::station::{store_visit};
import package::queueing::visit::{serve};
import classes::{first_site};
import constants::{WORKGROUP};
import exits::{account_exit};
import first_tokens::{initial_tokens};
import station_record::{store_station};
import topology::{initial_stream, site_of};
import visit_clock::{store_originals};
import word64::{wide};

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= parameters.stations) { return; }
    let zero = wide(0u, 0u);
    let site = site_of(id);
    var station = Station(initial_stream(id).state, zero, zero, zero, 0u, 0u, 0u, 0u);
    let here = initial_tokens(id);
    for (var token = here.x; token < here.x + here.y; token += 1u) {
        let own = first_site(site, token);
        let visit = serve(own, &station, zero);
        account_exit(token, own, visit);
        store_visit(token, id, zero, visit);
        next_event[token] = visit.arrival;
    }
    store_originals(id);
    store_station(id, station);
}
