// queueing/crowd (one workgroup a crowd): decides the visits of a crowd, BATCH at a time.
// Reads: links, tokens, stations. Writes: links, tokens, stations, next_event, annex.
// Afterwards: as after queueing/arrival, for the crowd's station.

import package::engine::schedule::{next_event, schedule};
import package::lib::control::{control};
import package::lib::jump::{jump};
import package::lib::pcg32::{Stream, draw};
import package::lib::service::{service_time};
import package::lib::time::{Time, never};
import package::queueing::crowd_order::{BATCH, crowded, ordered_crowd};
import package::queueing::crowd_servers::{sort_servers, starts_together};
import package::queueing::crowds::{size_place};
import package::queueing::lane_sums::{add_lanes, add_to_sum, clear_sums};
import package::queueing::network::{Site, delay_of, route, site_of};
import package::queueing::places::{places, model_table};
import package::queueing::records::{FAULT_VISITS, NONE, Station, Visit, links, parameters};
import package::queueing::station::{store_visit};
import package::queueing::station_full::{load_station, store_station};
import faults::{raise};
import leaving::{is_gone};
import word64::{Wide, wide_add, wide_less, wide_sub};
import workgroup::{workgroup_sum};

var<workgroup> crowd_size: u32;
var<workgroup> servers_known: u32;

fn extra_groups() -> u32 { return places.crowds_all; }

fn arrive_together(crowd: u32, lane: u32) {
    if (lane == 0u) {
        crowd_size = select(0u, atomicLoad(&links[size_place(crowd)]), control.running != 0u);
        servers_known = atomicLoad(&links[size_place(crowd) + 1u]);
        atomicStore(&links[size_place(crowd)], 0u);
    }
    let size = workgroupUniformLoad(&crowd_size);
    if (size == 0u) { return; }
    let list = ordered_crowd(crowd, size, lane);
    let row = model_table[places.crowds + crowd % places.crowds_each];
    let site = site_of(crowd / places.crowds_each * places.each + row.x);
    if (workgroupUniformLoad(&servers_known) == 0u) {
        // The tokens at time 0 have left the servers as a heap.
        sort_servers(site, lane);
        if (lane == 0u) { atomicStore(&links[size_place(crowd) + 1u], 1u); }
    }
    var station = load_station(site.id);
    for (var begin = 0u; begin < size; begin += BATCH) {
        admit_together(site, &station, row, list + begin, min(size - begin, BATCH), lane);
    }
    if (lane == 0u) { store_station(site.id, station); }
}

// Admits `count` tokens of an ordered list: the state of the station is the same in all lanes, before and after.
fn admit_together(site: Site, station: ptr<function, Station>, row: vec4<u32>, list: u32, count: u32, lane: u32) {
    let here = lane < count;
    var id = NONE;
    var time = never();
    if (here) {
        id = crowded(list + lane);
        time = next_event[id];
    }
    // Every visit has its own draws; visits that would not start before the end of the run have none, and come last.
    let draws = row.y;
    var stream = Stream((*station).state, site.increment);
    stream.state = jump(stream, lane * draws);
    let service = service_time(site.law, &stream);
    let start = starts_together(site, time, service, count, lane);
    let starting = here && wide_less(start, parameters.until);
    let number = (*station).visits + lane;
    if (here && number < lane) { raise(FAULT_VISITS, site.id); }
    var visit = Visit(never(), never(), route(site, 0u), number);
    if (starting) {
        let edge = route(site, draw(&stream));
        visit = Visit(start, wide_add(wide_add(start, service), delay_of(edge)), edge, number);
    }
    add_together(station, starting, service, wide_sub(start, time), lane);
    let started = workgroup_sum(lane, select(0u, 1u, starting));
    (*station).state = jump(Stream((*station).state, site.increment), started * draws);
    (*station).visits += count;
    if (row.z == 0u) {
        if (here) { settle(id, site, time, visit); }
        return;
    }
    // The tokens that leave are counted one after the other.
    for (var turn = 0u; turn < count; turn += 1u) {
        if (lane == turn) { settle(id, site, time, visit); }
        storageBarrier();
    }
}

fn settle(id: u32, site: Site, time: Time, visit: Visit) {
    if (is_gone(id, site, visit)) { return; }
    store_visit(id, site.id, time, visit);
    schedule(id, visit.arrival);
}

// Adds the times of the starting lanes to the station's sums.
fn add_together(station: ptr<function, Station>, starting: bool, service: Wide, waiting: Wide, lane: u32) {
    clear_sums(lane);
    if (starting) {
        add_to_sum(0u, service, 0u);
        add_to_sum(1u, waiting, 0u);
    }
    workgroupBarrier();
    add_lanes(station);
    workgroupBarrier();
}
