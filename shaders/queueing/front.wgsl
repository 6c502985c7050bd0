// queueing/front (one workgroup a front): decides the visits to a station of one server to which only the tokens of one
// source come, BATCH at a time: queueing/front_scan finds when they come and go.
// Reads: links, model_table, stations. Writes: links, tokens, stations, next_event, annex.
// Afterwards: as after queueing/arrival, for the front's station.

import package::engine::schedule::{next_event, schedule};
import package::lib::control::{control};
import package::lib::jump::{jump, leap_over, leapt};
import package::lib::pcg32::{Stream, draw};
import package::lib::service::{service_time};
import package::lib::stream::{entity_increment};
import package::lib::time::{Time, never};
import package::queueing::crowds::{HEADS, head_place, size_place};
import package::queueing::exits::{Tally, add_stay, add_tally, no_tally, way_out};
import package::queueing::front_scan::{store_turn, kept_arrivals, kept_ends, select_time, turn_of};
import package::queueing::front_slots::{give_slots, lanes_here, lanes_starting, refused, show, slot_of};
import package::queueing::front_sums::{close};
import package::queueing::network::{Site, delay_of, law_at, route, site_of, stream_key};
import package::queueing::origin::{load_origin, store_origin};
import package::queueing::places::{annex, places, set_annex, model_table};
import package::queueing::records::{FAULT_VISITS, NONE, Station, Visit, links, parameters};
import package::queueing::station::{store_visit};
import package::queueing::station_full::{load_station};
import package::queueing::visit::{add_sums};
import constants::{WORKGROUP};
import faults::{raise};
import word64::{Wide, wide, wide_add, wide_less, wide_sub};

const BATCH: u32 = min(WORKGROUP, 256u);

var<workgroup> front_here: u32;
var<workgroup> batch_size: u32;

fn extra_groups() -> u32 { return places.crowds_all; }

fn arrive_together(front: u32, lane: u32) {
    if (lane == 0u) { front_here = select(0u, atomicLoad(&links[size_place(front)]), control.running != 0u); }
    if (workgroupUniformLoad(&front_here) == 0u) { return; }
    // Clears the lists with the one source that arrives here.
    for (var head = lane; head < HEADS; head += WORKGROUP) { atomicStore(&links[head_place(front, head)], 0u); }
    if (lane == 0u) { atomicStore(&links[size_place(front)], 0u); }
    let row = model_table[places.crowds + front % places.crowds_each];
    admit_front(site_of(front / places.crowds_each * places.each + row.x), row, lane);
}

fn admit_front(site: Site, row: vec4<u32>, lane: u32) {
    let copy = site.id / places.each;
    let entity = (copy * places.sources_each + row.w - 1u) * parameters.cell;
    let source = model_table[places.sources + 2u * (row.w - 1u)];
    let increment = entity_increment(stream_key(copy), places.each + row.w - 1u);
    let law = law_at(source.x);
    let most = wide(source.z, source.w);
    let zero = wide(0u, 0u);
    let to_interval = leap_over(lane * row.z, increment);
    let to_visit = leap_over(lane * row.y, site.increment);
    var station = load_station(site.id);
    var origin = load_origin(entity);
    var time = next_event[entity];
    // The sums of the lane's tokens in this round, as those of a station.
    var sums = Station(zero, zero, zero, zero, 0u, 0u, 0u, 0u);
    var left = no_tally();
    loop {
        var intervals = Stream(leapt(origin.state, to_interval), increment);
        var stream = Stream(leapt(station.state, to_visit), site.increment);
        let interval = service_time(law, &intervals);
        let service = service_time(site.law, &stream);
        let turn = turn_of(interval, service, time, station.free, lane);
        let here = lane < BATCH && wide_less(turn.arrived, control.bound)
            && wide_less(wide_add(origin.sent, wide(lane, 0u)), most);
        let starts = here && wide_less(turn.end, never())
            && wide_less(wide_sub(turn.end, service), parameters.until);
        var visit = Visit(never(), never(), route(site, 0u), station.visits + lane);
        if (starts) {
            let edge = route(site, draw(&stream));
            visit = Visit(wide_sub(turn.end, service), wide_add(turn.end, delay_of(edge)), edge, visit.number);
        }
        let way = way_out(visit);
        let stays = here && (way == NONE || !wide_less(visit.arrival, control.bound));
        show(here, starts, stays, lane);
        store_turn(interval, turn, starts, lane);
        if (lane == 0u) {
            give_slots(&origin);
            batch_size = min(lanes_here, refused);
        }
        let count = workgroupUniformLoad(&batch_size);
        let started = min(lanes_starting, refused);
        if (lane < count) {
            if (visit.number < lane) { raise(FAULT_VISITS, site.id); }
            if (starts) { add_sums(&sums, service, wide_sub(visit.start, turn.arrived)); }
            let born = wide_add(turn.arrived, wide(1u, 0u));
            if (way != NONE) { count_out(site, way, visit, born, &left); }
            if (stays) { move_in(slot_of(lane), site, visit, turn.arrived, born, origin.number); }
        }
        if (count > 0u) {
            time = kept_arrivals[count - 1u];
            station.free = kept_ends[count - 1u];
        }
        station.state = jump(Stream(station.state, site.increment), started * row.y);
        station.visits += count;
        origin.state = jump(Stream(origin.state, increment), count * row.z);
        origin.sent = wide_add(origin.sent, wide(count, 0u));
        if (count < BATCH) { break; }
    }
    close(site, &station, sums, &left, lane);
    if (lane != 0u) { return; }
    schedule(entity, select_time(wide_less(origin.sent, most), time));
    store_origin(origin);
    add_tally(site, left);
}

fn count_out(site: Site, way: u32, visit: Visit, born: Wide, left: ptr<function, Tally>) {
    (*left).way = way;
    (*left).tokens += 1u;
    add_stay(site, left, visit, born);
}

fn move_in(slot: u32, site: Site, visit: Visit, arrived: Time, born: Wide, source: u32) {
    set_annex(places.births + 2u * slot, born);
    annex[places.births + 2u * slot + 1u] = vec2<u32>(source + 1u, 0u);
    store_visit(slot, site.id, arrived, visit);
    schedule(slot, visit.arrival);
}
