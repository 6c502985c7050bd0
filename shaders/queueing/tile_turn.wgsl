// queueing/tile_turn: what a station does in a turn of queueing/tile.

// What may come from each neighbour: told, and not before what is pending anywhere.
fn heard(here: Here, edge: u32, least: Time) -> Time { return wide_maximum(told[here.heard[edge]], least); }

// Decides the first visit in the list, if nothing earlier can still come.
fn decide(here: Here, now: ptr<function, Now>, lane: u32, limits: Limits) {
    sent_by[lane] = NONE;
    var down = heard(here, 0u, limits.least);
    var right = heard(here, 1u, limits.least);
    var up = heard(here, 2u, limits.least);
    var left = heard(here, 3u, limits.least);
    if (may_be_decided(here, *now, wide_minimum(wide_minimum(down, up), wide_minimum(right, left)), limits)) {
        let entity = (*now).first - 1u;
        let visit = serve_first(here, now);
        if (wide_less(visit.arrival, never())) {
            // The answer to what is sent now is not in what its target has published.
            down = answered(down, 0u, visit);
            right = answered(right, 1u, visit);
            up = answered(up, 2u, visit);
            left = answered(left, 3u, visit);
            send(here, now, lane, entity, visit);
        }
    }
    (*now).next = others_of(down, right, up, left);
}

fn answered(time: Time, edge: u32, visit: Visit) -> Time {
    if (same_neighbour(edge, visit.edge)) { return wide_minimum(time, visit.arrival); }
    return time;
}

fn select_time(first: bool, a: Time, b: Time) -> Time {
    if (first) { return a; }
    return b;
}

// Whether nothing that is still to come precedes the first token, and it comes within this phase of the run.
fn may_be_decided(here: Here, now: Now, next: Time, limits: Limits) -> bool {
    if (now.first == 0u || !wide_less(now.head, limits.end)) { return false; }
    if (wide_differs(now.head, next)) { return wide_less(now.head, next); }
    // At one time those of lower stations come first; what a station sends later has a later number.
    let source = comes_from(now.first - 1u);
    for (var edge = 0u; edge < 4u; edge += 1u) {
        let other = neighbour(here.id, edge);
        if (other < source && other != here.id && !wide_differs(heard(here, edge, limits.least), next)) { return false; }
    }
    return true;
}

// Takes in what stations of the tile sent here in this turn.
fn receive(here: Here, now: ptr<function, Now>) {
    var lanes = 0u;
    var some = 0u;
    for (var edge = 0u; edge < 4u; edge += 1u) {
        let lane = lane_by(here, edge);
        if (leads_out(here, edge) || sent_by[lane] != (edge ^ 2u)) { continue; }
        lanes = (lanes << 8u) | lane;
        some += 1u;
    }
    for (; some > 0u; some -= 1u) {
        let lane = lanes & 0xffu;
        lanes >>= 8u;
        join(now, sent_token[lane], sent_time[lane]);
    }
}

// From when on something can come from here: the service that starts next starts when someone comes and the server is
// free. What only the target itself can cause is not what comes to it next.
fn publish(here: Here, now: ptr<function, Now>, lane: u32) {
    let spans = spans_of((*now).ahead);
    for (var edge = 0u; edge < 4u; edge += 1u) {
        let first = wide_maximum(wide_minimum(but_by((*now).next, edge), (*now).head), (*now).station.free);
        told[edge * WORKGROUP + lane] = later(first, span_by(spans, edge));
    }
}
