// queueing/restore_stations (once, in place of queueing/initialize_stations; one thread a station)
// What: decides the visits of the tokens that wait where a run resumes. The host has put tokens in service and tokens between
//       stations into the records already; the record of a waiting token has its arrival, and no station.
// Reads: ranges. Reads and writes: stations, tokens, next_event, the topology's words of servers; over ranks also annex, control.
// Afterwards: as after queueing/initialize_stations: every token knows when and where it arrives next.

import package::engine::schedule::{next_event};
import package::queueing::records::{NONE, parameters, tokens};
import package::queueing::restored::{initial_tokens};
import package::queueing::station::{store_visit};
import package::queueing::visit::{serve};
import constants::{WORKGROUP};
import exits::{account_exit};
import station_record::{load_station, store_station};
import topology::{site_of};
import word64::{wide};

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= parameters.stations) { return; }
    let site = site_of(id);
    var station = load_station(id);
    let here = initial_tokens(id);
    for (var token = here.x; token < here.x + here.y; token += 1u) {
        if (tokens[2u * token + 1u].x != NONE) { continue; }
        let times = tokens[2u * token];
        let arrived = wide(times.x, times.y);
        let visit = serve(site, &station, arrived);
        account_exit(token, site, visit);
        store_visit(token, id, arrived, visit);
        next_event[token] = visit.arrival;
    }
    store_station(id, station);
}
