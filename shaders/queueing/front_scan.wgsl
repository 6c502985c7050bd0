// queueing/front_scan: the tokens of a front in turn. The n-th comes at A(n) = A(n - 1) + I(n - 1) and leaves the one server
// at D(n) = max(D(n - 1), A(n)) + S(n). Such steps put together are of one kind: A becomes A + interval, and D becomes
// max(D + service, A + least). So a workgroup finds all of them by one scan (Hillis and Steele 1986). Sums that pass the
// range of times are never.

var<workgroup> scan_intervals: array<Time, BATCH>;
var<workgroup> scan_services: array<Time, BATCH>;
var<workgroup> scan_least: array<Time, BATCH>;
// For the next batch: when the token behind each comes, and when the server is free then.
var<workgroup> kept_arrivals: array<Time, BATCH>;
var<workgroup> kept_ends: array<Time, BATCH>;
var<workgroup> parts: array<atomic<u32>, 16>;

struct Turn {
    arrived: Time,
    end: Time,
}

fn sum_of_times(a: Time, b: Time) -> Time {
    let sum = wide_add(a, b);
    if (wide_less(sum, a)) { return never(); }
    return sum;
}

fn select_time(exists: bool, time: Time) -> Time {
    if (exists) { return time; }
    return never();
}

// When the token of a lane comes and goes; that of lane 0 comes at `first`, and the server is free from `free` on.
fn turn_of(interval: Time, service: Time, first: Time, free: Time, lane: u32) -> Turn {
    var intervals = interval;
    var services = service;
    var least = service;
    for (var apart = 1u; apart < BATCH; apart *= 2u) {
        if (lane < BATCH) {
            scan_intervals[lane] = intervals;
            scan_services[lane] = services;
            scan_least[lane] = least;
        }
        workgroupBarrier();
        if (lane >= apart && lane < BATCH) {
            let before = lane - apart;
            least = wide_maximum(sum_of_times(scan_least[before], services), sum_of_times(scan_intervals[before], least));
            services = sum_of_times(scan_services[before], services);
            intervals = sum_of_times(scan_intervals[before], intervals);
        }
        workgroupBarrier();
    }
    let passed = !wide_differs(intervals, never());
    let arrived = sum_of_times(first, select_time(!passed, wide_sub(intervals, interval)));
    return Turn(arrived, wide_maximum(sum_of_times(free, services), sum_of_times(first, least)));
}

fn keep_turn(interval: Time, turn: Turn, starts: bool, lane: u32) {
    if (lane >= BATCH) { return; }
    kept_arrivals[lane] = sum_of_times(turn.arrived, interval);
    kept_ends[lane] = select_time(starts, turn.end);
}

// Adds what the lanes have to the station, and puts what left through the one way out into the first lane's tally.
fn close(site: Site, station: ptr<function, Station>, mine: Station, left: ptr<function, Tally>, lane: u32) {
    for (var place = lane; place < 16u; place += WORKGROUP) { atomicStore(&parts[place], 0u); }
    workgroupBarrier();
    add_parts(0u, mine.service, mine.service_top);
    add_parts(5u, mine.waiting, mine.waiting_top);
    add_parts(10u, (*left).stays, (*left).top);
    atomicAdd(&parts[15u], (*left).tokens);
    workgroupBarrier();
    if (lane != 0u) { return; }
    let zero = wide(0u, 0u);
    var stays = Station(zero, zero, zero, zero, 0u, 0u, 0u, 0u);
    for (var shift = 0u; shift < 4u; shift += 1u) {
        add_sums(station, part(shift, shift), part(5u + shift, shift));
        add_sums(&stays, part(10u + shift, shift), zero);
    }
    (*station).service_top += beyond(0u);
    (*station).waiting_top += beyond(5u);
    store_station(site.id, *station);
    let tokens = atomicLoad(&parts[15u]);
    *left = no_tally();
    if (tokens == 0u) { return; }
    *left = Tally(only_way_out(site), tokens, tokens, stays.service_top + beyond(10u), stays.service);
}

// Words of 16 bits, which many lanes add up without a carry, and what lies beyond 64.
fn add_parts(first: u32, value: Wide, top: u32) {
    atomicAdd(&parts[first], wide_low(value) & 0xffffu);
    atomicAdd(&parts[first + 1u], wide_low(value) >> 16u);
    atomicAdd(&parts[first + 2u], wide_high(value) & 0xffffu);
    atomicAdd(&parts[first + 3u], wide_high(value) >> 16u);
    atomicAdd(&parts[first + 4u], top);
}

// A part times 2^(16 shift), modulo 2^64.
fn part(place: u32, shift: u32) -> Wide {
    let value = atomicLoad(&parts[place]);
    switch shift {
        case 0u: { return wide(value, 0u); }
        case 1u: { return wide(value << 16u, value >> 16u); }
        case 2u: { return wide(0u, value); }
        default: { return wide(0u, value << 16u); }
    }
}

fn beyond(first: u32) -> u32 { return (atomicLoad(&parts[first + 3u]) >> 16u) + atomicLoad(&parts[first + 4u]); }

fn only_way_out(site: Site) -> u32 {
    var edge = site.first_edge;
    while (structure[places.edges + edge].y < OUTSIDE) { edge += 1u; }
    return structure[places.edges + edge].y - OUTSIDE;
}
