// queueing/decide (the second half of a round of appointments; a workgroup a block)
// What: decides the first visit in the list of each station in the block's slots, sends its token on and publishes.
// Reads: links, next_event, tokens, summaries, and of other stations only what the last round left: appointments.
// Writes: stations, tokens, links, next_event, appointments, summaries, control (first block).
// Afterwards: every appointment is at or before each arrival by its edge that is in no inbox or list yet, and each visit that
//             was decided came in the contract's order.


fn this_round() -> u32 { return control.round; }

fn run(block: u32, lane: u32) {
    let running = control.running != 0u;
    var count = 0u;
    if (running && block < control.blocks) { count = wide_low(summaries[count_place() + block]); }
    pending = never();
    let least = wide_add(control.minimum, wide(1u, 0u));
    for (var place = lane; place < count; place += WORKGROUP) {
        decide(atomicLoad(&links[station_slot(block * BLOCK + place)]), least);
    }
    let earliest = workgroup_minimum(lane, pending);
    if (lane != 0u || !running || block >= control.blocks) { return; }
    summaries[sent_row() + block] = earliest;
    if (block == 0u) { end_round(); }
}

// Decides the first visit in the list of a station, sends the token on and publishes.
fn decide(id: u32, least: Time) {
    let here = around(id);
    var station = load_station(id);
    var next = others(here, station.free, least);
    let site = site_of(id);
    let entity = list_of(id) - 1u;
    let arrived = next_event[entity];
    var list = link_of(entity);
    let visit = serve(site, &station, arrived);
    store_visit(entity, id, arrived, visit);
    store_station(id, station);
    next_event[entity] = visit.arrival;
    var sent = 0u;
    if (wide_less(visit.arrival, never())) {
        pending = wide_minimum(pending, visit.arrival);
        let target_station = target_of(here, visit.edge);
        if (target_station == id) {
            list = joined_by(entity, list);
        } else {
            push(inbox_of(written_half(), target_station), entity);
            sent = target_station + 1u;
            // Its answer is not in what it has published.
            next = with_one(next, station.free, target_station);
        }
    }
    look_ahead(site, here, station.state);
    set_list(id, list);
    set_sent(id, sent);
    var head = never();
    if (list != 0u) { head = next_event[list - 1u]; }
    pending = wide_minimum(pending, head);
    publish_all(here, station.free, head, next);
}
