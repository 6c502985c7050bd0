// queueing/front_scan: the tokens of a front in turn. The n-th arrives at A(n), the sum of the intervals before it, and leaves
// the one server at D(n) = max(D(n - 1), A(n)) + S(n). Steps max(t + span, least) put together are such steps, so a
// workgroup finds all of them by scans (Hillis and Steele 1986). Sums that pass the range of times are never.

struct Span {
    span: Time,
    least: Time,
}

fn sum_of_times(a: Time, b: Time) -> Time {
    let sum = wide_add(a, b);
    if (wide_less(sum, a)) { return never(); }
    return sum;
}

// The steps of all lanes up to this one, put together. Uses piece_times.
fn scanned(own: Span, lane: u32) -> Span {
    var all = own;
    for (var apart = 1u; apart < BATCH; apart *= 2u) {
        if (lane < BATCH) {
            piece_times[lane] = all.span;
            piece_times[BATCH + lane] = all.least;
        }
        workgroupBarrier();
        if (lane >= apart && lane < BATCH) {
            all.least = wide_maximum(all.least, sum_of_times(piece_times[BATCH + lane - apart], all.span));
            all.span = sum_of_times(piece_times[lane - apart], all.span);
        }
        workgroupBarrier();
    }
    return all;
}

// When the token of a lane arrives; `first` is when that of lane 0 does, and `interval` comes behind it.
fn arrival_in_turn(first: Time, interval: Time, lane: u32) -> Time {
    let all = scanned(Span(interval, wide(0u, 0u)), lane).span;
    if (!wide_differs(all, never())) { return never(); }
    return sum_of_times(first, wide_sub(all, interval));
}

// When it leaves a server that is free from `free` on.
fn end_in_turn(free: Time, arrived: Time, service: Time, lane: u32) -> Time {
    let all = scanned(Span(service, sum_of_times(arrived, service)), lane);
    return wide_maximum(sum_of_times(free, all.span), all.least);
}

// The time of the last of `count` lanes, or what there was before the first.
fn last_of(count: u32, before: Time, time: Time, lane: u32) -> Time {
    if (lane < BATCH) { piece_times[lane] = time; }
    workgroupBarrier();
    var last = before;
    if (count > 0u) { last = piece_times[count - 1u]; }
    workgroupBarrier();
    return last;
}

// Adds what the lanes have to the station, and puts what left through the one way out into the first lane's tally.
fn close(site: Site, station: ptr<function, Station>, mine: Station, tally: ptr<function, Tally>, lane: u32) {
    let left = *tally;
    let zero = wide(0u, 0u);
    add_together(station, true, mine.service, mine.waiting, lane);
    (*station).service_top += workgroup_prefix(lane, mine.service_top).y;
    (*station).waiting_top += workgroup_prefix(lane, mine.waiting_top).y;
    if (lane == 0u) { store_station(site.id, *station); }
    var stays = Station(zero, zero, zero, zero, 0u, 0u, 0u, 0u);
    add_together(&stays, true, left.stays, zero, lane);
    let top = stays.service_top + workgroup_prefix(lane, left.top).y;
    let tokens = workgroup_prefix(lane, left.tokens).y;
    if (tokens == 0u) { return; }
    *tally = Tally(only_way_out(site), tokens, tokens, top, stays.service);
}

fn only_way_out(site: Site) -> u32 {
    var edge = site.first_edge;
    while (structure[places.edges + edge].y < OUTSIDE) { edge += 1u; }
    return structure[places.edges + edge].y - OUTSIDE;
}
