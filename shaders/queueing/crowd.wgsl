// queueing/crowd (one workgroup a crowd): decides the visits of a crowd, BATCH at a time.
// Reads: links, tokens, stations. Writes: links, tokens, stations, next_event, annex.
// Afterwards: as after queueing/arrival, for the crowd's station.

var<workgroup> crowd_size: u32;
var<workgroup> servers_known: u32;
var<workgroup> sums: array<atomic<u32>, 8>; // 16 bits each: of service times, then of waiting times

fn crowds() -> u32 { return places.crowds_all; }

fn arrive_together(crowd: u32, lane: u32) {
    if (lane == 0u) {
        crowd_size = select(0u, atomicLoad(&links[size_place(crowd)]), control.running != 0u);
        servers_known = atomicLoad(&links[size_place(crowd) + 1u]);
        atomicStore(&links[size_place(crowd)], 0u);
    }
    let size = workgroupUniformLoad(&crowd_size);
    if (size == 0u) { return; }
    let list = ordered_crowd(crowd, size, lane);
    let row = structure[places.crowds + crowd % places.crowds_each];
    let site = site_of(crowd / places.crowds_each * places.each + row.x);
    if (workgroupUniformLoad(&servers_known) == 0u) {
        // What is there at time 0 has left them as a heap.
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
    // Every visit has its own draws; those that would not start before the end of the run have none, and come last.
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
    let started = workgroup_prefix(lane, select(0u, 1u, starting)).y;
    (*station).state = jump(Stream((*station).state, site.increment), started * draws);
    (*station).visits += count;
    if (row.z == 0u) {
        if (here) { settle(id, site, time, visit); }
        return;
    }
    // Ways out are counted one after the other.
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

// Adds the times of the lanes that start to the station's sums.
fn add_together(station: ptr<function, Station>, starting: bool, service: Wide, waiting: Wide, lane: u32) {
    for (var place = lane; place < 8u; place += WORKGROUP) { atomicStore(&sums[place], 0u); }
    workgroupBarrier();
    if (starting) {
        add_parts(0u, service);
        add_parts(4u, waiting);
    }
    workgroupBarrier();
    for (var shift = 0u; shift < 4u; shift += 1u) {
        let zero = wide(0u, 0u);
        add_sums(station, shifted(atomicLoad(&sums[shift]), shift), zero);
        add_sums(station, zero, shifted(atomicLoad(&sums[4u + shift]), shift));
        (*station).service_top += select(0u, atomicLoad(&sums[shift]) >> 16u, shift == 3u);
        (*station).waiting_top += select(0u, atomicLoad(&sums[4u + shift]) >> 16u, shift == 3u);
    }
    workgroupBarrier();
}

// value * 2^(16 shift), modulo 2^64.
fn shifted(value: u32, shift: u32) -> Wide {
    switch shift {
        case 0u: { return wide(value, 0u); }
        case 1u: { return wide(value << 16u, value >> 16u); }
        case 2u: { return wide(0u, value); }
        default: { return wide(0u, value << 16u); }
    }
}

fn add_parts(first: u32, value: Wide) {
    atomicAdd(&sums[first], wide_low(value) & 0xffffu);
    atomicAdd(&sums[first + 1u], wide_low(value) >> 16u);
    atomicAdd(&sums[first + 2u], wide_high(value) & 0xffffu);
    atomicAdd(&sums[first + 3u], wide_high(value) >> 16u);
}
