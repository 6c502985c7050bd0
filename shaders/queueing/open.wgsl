// queueing/open: what comes from sources, and what is lost.
// A source draws its tokens when its station takes them in. One that is gone again within the round never needs a slot.
// Where the pool is empty the station stops: what it has not taken in stays imminent, and nothing that it would have
// sent lies before this round's bound.

struct Origin {
    state: Wide,          // of the random stream
    sent: Wide,           // tokens so far
    free: u32,            // link of a free slot
}

fn load_origin(source: u32) -> Origin {
    let place = places.origins + 3u * source;
    return Origin(annex_wide(place), annex_wide(place + 1u), annex[place + 2u].x);
}

fn store_origin(source: u32, origin: Origin) {
    let place = places.origins + 3u * source;
    set_annex(place, origin.state);
    set_annex(place + 1u, origin.sent);
    annex[place + 2u] = vec2<u32>(origin.free, 0u);
}

fn admit_all(here: u32, station: ptr<function, Station>, first: Next) {
    var next = first;
    loop {
        var rest = next.rest;
        if (next.entity < parameters.sources) {
            rest = admit_from(here, station, next.entity, next.time, rest);
        } else {
            take_in(here, station, next.entity, next.time);
        }
        if (rest == 0u) { break; }
        next = next_in(rest);
    }
}

// Takes in what a source sends before the others in the list; returns these, with the source in its place again.
fn admit_from(here: u32, station: ptr<function, Station>, source: u32, first: Time, rest: u32) -> u32 {
    let row = structure[places.sources + 2u * (source % places.sources_each)];
    let law = law_at(row.x);
    let number = places.each + source % places.sources_each;
    let increment = entity_increment(stream_key(source / places.sources_each), number);
    var origin = load_origin(source);
    var time = first;
    var left = rest;
    loop {
        if (!reserve(source, &origin)) {
            next_event[source] = time;
            put_off(source, rest);
            left = 0u;
            break;
        }
        come_in(here, station, source, time, &origin);
        origin.sent = wide_add(origin.sent, wide(1u, 0u));
        if (!wide_less(origin.sent, wide(row.z, row.w))) { time = never(); } else {
            var stream = Stream(origin.state, increment);
            time = wide_add(time, service_time(law, &stream));
            origin.state = stream.state;
        }
        next_event[source] = time;
        if (!wide_less(time, control.bound)) {
            schedule(source, time);
            break;
        }
        if (rest != 0u && precedes(rest - 1u, source)) {
            left = inserted(source, rest);
            break;
        }
    }
    store_origin(source, origin);
    return left;
}

// What could not be taken in is imminent again in the next round.
fn put_off(source: u32, rest: u32) {
    schedule(source, next_event[source]);
    for (var link = rest; link != 0u; link = link_of(link - 1u)) { schedule(link - 1u, next_event[link - 1u]); }
}

// A token from a source, with a free slot in reserve.
fn come_in(here: u32, station: ptr<function, Station>, source: u32, time: Time, origin: ptr<function, Origin>) {
    if (is_full(here, station, time)) {
        (*station).losses += 1u;
        return;
    }
    let visit = serve(here, station, time);
    let born = wide_add(time, wide(1u, 0u));
    if (leads_out(visit)) {
        add_exit(here, visit, born);
        if (wide_less(visit.arrival, control.bound)) { return; }
    }
    let slot = (*origin).free - 1u;
    (*origin).free = link_of(slot);
    let token = slot - parameters.sources;
    set_annex(places.births + 2u * token, born);
    annex[places.births + 2u * token + 1u] = vec2<u32>(source + 1u, 0u);
    store_visit(token, here, time, visit);
    schedule(slot, visit.arrival);
}
