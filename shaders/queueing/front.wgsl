// queueing/front (a crowd's workgroup): a station of one server that nobody comes to but the tokens of one source, BATCH of
// them at a time: queueing/front_scan finds when they come and go.
// Reads and writes: as queueing/open does for one token after the other.

var<workgroup> slots_given: u32;
var<workgroup> first_without: u32;

fn admit_front(site: Site, station: ptr<function, Station>, row: vec4<u32>, lane: u32) {
    let copy = site.id / places.each;
    let entity = (copy * places.sources_each + row.w - 1u) * parameters.cell;
    let source = structure[places.sources + 2u * (row.w - 1u)];
    let increment = entity_increment(stream_key(copy), places.each + row.w - 1u);
    let law = law_at(source.x);
    let most = wide(source.z, source.w);
    let zero = wide(0u, 0u);
    let to_interval = leap_over(lane * row.z, increment);
    let to_visit = leap_over(lane * row.y, site.increment);
    var origin = load_origin(entity);
    // What the lane's tokens add up to in this round: of a station, the sums.
    var sums = Station(zero, zero, zero, zero, 0u, 0u, 0u, 0u);
    var left = no_tally();
    var time = next_event[entity];
    loop {
        var intervals = Stream(leapt(origin.state, to_interval), increment);
        let interval = service_time(law, &intervals);
        let arrived = arrival_in_turn(time, interval, lane);
        let sent = wide_add(origin.sent, wide(lane, 0u));
        var here = lane < BATCH && wide_less(arrived, control.bound) && wide_less(sent, most);
        var stream = Stream(leapt((*station).state, to_visit), site.increment);
        let service = service_time(site.law, &stream);
        var end = end_in_turn((*station).free, arrived, service, lane);
        let start = wide_sub(end, service);
        let starts = wide_less(start, parameters.until);
        if (!starts) { end = never(); }
        var visit = Visit(never(), never(), route(site, 0u), (*station).visits + lane);
        if (here && starts) {
            let edge = route(site, draw(&stream));
            visit = Visit(start, wide_add(end, delay_of(edge)), edge, visit.number);
        }
        let way = way_out(visit);
        let stays = here && (way == NONE || !wide_less(visit.arrival, control.bound));
        let rank = workgroup_prefix(lane, select(0u, 1u, stays));
        let refused = first_refused(&origin, stays, rank, lane);
        here = here && lane < refused;
        if (here && visit.number < lane) { raise(FAULT_VISITS, site.id); }
        if (here) { enter(site, arrived, visit, service, way, stays, rank.x, origin.number, &sums, &left); }
        let count = workgroup_prefix(lane, select(0u, 1u, here)).y;
        let started = workgroup_prefix(lane, select(0u, 1u, here && starts)).y;
        time = last_of(count, time, sum_of_times(arrived, interval), lane);
        (*station).free = last_of(count, (*station).free, end, lane);
        (*station).state = jump(Stream((*station).state, site.increment), started * row.y);
        (*station).visits += count;
        origin.state = jump(Stream(origin.state, increment), count * row.z);
        origin.sent = wide_add(origin.sent, wide(count, 0u));
        if (count < BATCH) { break; }
    }
    if (!wide_less(origin.sent, most)) { time = never(); }
    close(site, station, sums, &left, lane);
    if (lane != 0u) { return; }
    schedule(entity, time);
    store_origin(origin);
    keep(site, left);
}

// Takes slots for those who stay; the first lane that gets none.
fn first_refused(origin: ptr<function, Origin>, stays: bool, rank: vec2<u32>, lane: u32) -> u32 {
    if (lane == 0u) {
        first_without = BATCH;
        var given = 0u;
        while (given < rank.y && reserve(origin)) {
            piece_tokens[given] = (*origin).free - 1u;
            (*origin).free = link_of((*origin).free - 1u);
            given += 1u;
        }
        slots_given = given;
    }
    let given = workgroupUniformLoad(&slots_given);
    if (stays && rank.x == given) { first_without = lane; }
    return workgroupUniformLoad(&first_without);
}

// A token that is let in.
fn enter(
    site: Site, arrived: Time, visit: Visit, service: Wide, way: u32, stays: bool, place: u32, source: u32,
    total: ptr<function, Station>, left: ptr<function, Tally>,
) {
    let born = wide_add(arrived, wide(1u, 0u));
    if (wide_less(visit.start, never())) { add_sums(total, service, wide_sub(visit.start, arrived)); }
    if (way != NONE) {
        (*left).way = way;
        (*left).tokens += 1u;
        add_stay(site, left, visit, born);
    }
    if (!stays) { return; }
    let slot = piece_tokens[place];
    set_annex(places.births + 2u * slot, born);
    annex[places.births + 2u * slot + 1u] = vec2<u32>(source + 1u, 0u);
    store_visit(slot, site.id, arrived, visit);
    schedule(slot, visit.arrival);
}
