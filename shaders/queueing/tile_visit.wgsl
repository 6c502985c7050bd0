// queueing/tile_visit: how a visit that is drawn already goes, and where its token is sent.

// Decides the visit of the first token.
fn serve_first(here: Here, now: ptr<function, Now>) -> Visit {
    let entity = (*now).first - 1u;
    let visit = served(here.id, now);
    visits += 1u;
    (*now).worked = true;
    store_visit(entity, here.id, (*now).head, visit);
    next_event[entity] = visit.arrival;
    move_up(now);
    return visit;
}

fn served(id: u32, now: ptr<function, Now>) -> Visit {
    let start = wide_maximum((*now).head, (*now).station.free);
    if (!wide_less(start, parameters.until)) {
        (*now).station.free = never();
        return Visit(never(), never(), 0u, 0u);
    }
    let edge = (*now).ahead.edges & 0xffu;
    let lasting = (*now).ahead.first;
    let end = wide_add(start, lasting);
    var station = (*now).station;
    add_sums(&station, lasting, wide_sub(start, (*now).head));
    station.free = end;
    var state = station.state;
    (*now).ahead = moved_up((*now).ahead, site_of(id), &state);
    station.state = state;
    (*now).station = station;
    return Visit(start, end, edge, 0u);
}

fn send(here: Here, now: ptr<function, Now>, lane: u32, entity: u32, visit: Visit) {
    if (!leads_out(here, visit.edge)) {
        sent_by[lane] = visit.edge;
        sent_token[lane] = entity;
        sent_time[lane] = visit.arrival;
        return;
    }
    push(inbox_of(OTHER, neighbour(here.id, visit.edge)), entity);
    pending = wide_minimum(pending, visit.arrival);
    (*now).answer = wide_minimum((*now).answer, visit.arrival);
    for (var edge = 0u; edge < 4u; edge += 1u) {
        if (!same_neighbour(edge, visit.edge)) { continue; }
        (*now).sent |= 1u << edge;
        told[here.heard[edge]] = wide_minimum(told[here.heard[edge]], visit.arrival);
    }
}
