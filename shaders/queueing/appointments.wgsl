// queueing/appointments: what a station knows of what may still come, and what it tells others.
// Reads and writes: links (its inbox, its list, where it sent a token in the last round), appointments.

// From when on something can come that is in no list yet: the earliest such time and the least station that it may come
// from, and the earliest from any other station.
struct Others {
    time: Time,
    source: u32,
    beyond: Time,
}

fn with_one(next: Others, time: Time, source: u32) -> Others {
    if (source == next.source) { return Others(wide_minimum(time, next.time), source, next.beyond); }
    if (wide_less(time, next.time) || (!wide_less(next.time, time) && source < next.source)) {
        return Others(time, source, next.time);
    }
    return Others(next.time, next.source, wide_minimum(time, next.beyond));
}

// What all stations that lead here have published. One that was sent a token in the last round had not seen it yet, and may
// send something as soon as that came: at `free`, when its service ended here.
fn others(here: Around, free: Time, least: Time) -> Others {
    let told = atomicLoad(&links[sent_place(here.id)]);
    var next = Others(never(), NONE, never());
    for (var edge = 0u; edge < edges_in(here); edge += 1u) {
        let source = source_of(here, edge);
        if (source == here.id) { continue; }
        var time = appointments[PARITY * appointments_each() + place_from(here, edge)];
        if (source + 1u == told) { time = wide_minimum(time, free); }
        next = with_one(next, wide_maximum(time, least), source);
    }
    return next;
}

// What was sent here in the last round joins the station's list; the link of its first.
fn taken_in(id: u32) -> u32 {
    var list = atomicLoad(&links[list_place(id)]);
    let inbox = inbox_of(PARITY, id);
    var arrived = atomicLoad(&links[inbox]);
    if (arrived != 0u) { atomicStore(&links[inbox], 0u); }
    while (arrived != 0u) {
        let entity = arrived - 1u;
        arrived = link_of(entity);
        list = joined_by(entity, list);
    }
    return list;
}

fn joined_by(entity: u32, list: u32) -> u32 {
    if (list != 0u) { return inserted(entity, list); }
    set_link(entity, 0u);
    return entity + 1u;
}

fn keep_list(id: u32, list: u32, sent: u32) {
    atomicStore(&links[list_place(id)], list);
    atomicStore(&links[sent_place(id)], sent);
}

// By each edge: the service that starts next starts when someone comes and the server is free. What only the target itself
// can cause is not what comes to it next.
fn publish_all(here: Around, free: Time, head: Time, next: Others) {
    for (var edge = 0u; edge < edges_out(here); edge += 1u) {
        let target_station = target_of(here, edge);
        if (target_station == here.id) { continue; }
        var first = next.time;
        if (target_station == next.source) { first = next.beyond; }
        first = wide_maximum(wide_minimum(first, head), free);
        let time = later(later(first, span_of(here.id, edge)), delay_of(edge));
        appointments[OTHER * appointments_each() + place_to(here.id, edge)] = time;
    }
}

// A time and a span, within the range of times.
fn later(time: Time, span: Time) -> Time {
    let sum = wide_add(time, span);
    if (wide_less(sum, time)) { return never(); }
    return sum;
}
