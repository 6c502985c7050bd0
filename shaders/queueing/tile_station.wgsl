// queueing/tile_station: a station while its tile is at work: loaded and stored.

struct Now {
    station: Station,
    ahead: Ahead,
    next: Others,   // what it knew in the last turn
    first: u32,     // the link of the first token on its way here, and when that arrives
    head: Time,
    second: u32,    // the same of the second
    after: Time,
    rest: u32,      // the link of the third; from there on links are in memory
    linked: bool,   // whether those of the first two are
    sent: u32,      // by which edges tokens left the tile in this round, a bit each
    answer: Time,   // when the first of them departed
    worked: bool,
}

fn begin(here: Here) -> Now {
    let id = here.id;
    let word = atomicLoad(&links[edges_place(id)]);
    let known = known_place(id);
    var now: Now;
    now.station = load_station(id);
    now.ahead = load_ahead(id, word & 0x03030303u);
    now.next = Others(appointments[known], (word >> 2u) & 3u, appointments[known + 1u]);
    now.sent = 0u;
    now.answer = never();
    now.worked = false;
    load_list(id, &now);
    for (var edge = 0u; edge < 4u; edge += 1u) {
        if (!leads_out(here, edge)) { continue; }
        // A token sent there in the last round is not in what was published there.
        let time = appointments[published_in(PARITY) + place_from(here, edge)];
        told[here.heard[edge]] = wide_minimum(time, appointments[answers_place() + place_to(here, edge)]);
    }
    var arrived = atomicLoad(&links[inbox_of(PARITY, id)]);
    if (arrived != 0u) { atomicStore(&links[inbox_of(PARITY, id)], 0u); }
    while (arrived != 0u) {
        let entity = arrived - 1u;
        arrived = link_of(entity);
        join(&now, entity, next_event[entity]);
    }
    return now;
}

fn end(here: Here, now: Now, lane: u32) {
    let id = here.id;
    pending = wide_minimum(pending, now.head);
    for (var edge = 0u; edge < 4u; edge += 1u) {
        if (!leads_out(here, edge)) { continue; }
        let place = place_to(here, edge);
        appointments[published_in(OTHER) + place] = told[edge * WORKGROUP + lane];
        appointments[answers_place() + place] = select_time(((now.sent >> edge) & 1u) != 0u, now.answer, never());
    }
    appointments[known_place(id)] = now.next.time;
    appointments[known_place(id) + 1u] = now.next.beyond;
    store_list(id, now);
    let word = now.ahead.edges | (now.next.edge << 2u);
    if (atomicLoad(&links[edges_place(id)]) != word) { atomicStore(&links[edges_place(id)], word); }
    if (!now.worked) { return; }
    store_station(id, now.station);
    store_ahead(id, now.ahead);
}
