// queueing/others: what is still to come to a station of a torus from its neighbours.

// From when on something can come that is in no list yet: the earliest such time, by which edge, and the earliest from
// neighbours other than that one.
struct Others {
    time: Time,
    edge: u32,
    beyond: Time,
}

// From what each neighbour has published. One above may be the one below, too, and a station its own neighbour.
fn others_of(down: Time, right: Time, up: Time, left: Time) -> Others {
    let upright = nearer(down, 0u, up, 2u, torus.height);
    let level = nearer(right, 1u, left, 3u, torus.width);
    if (wide_less(level.time, upright.time)) {
        return Others(level.time, level.edge, wide_minimum(level.beyond, upright.time));
    }
    return Others(upright.time, upright.edge, wide_minimum(upright.beyond, level.time));
}

fn nearer(a: Time, edge_a: u32, b: Time, edge_b: u32, stations_across: u32) -> Others {
    if (stations_across == 1u) { return Others(never(), edge_a, never()); }
    var next = Others(a, edge_a, b);
    if (wide_less(b, a)) { next = Others(b, edge_b, a); }
    if (stations_across == 2u) { next.beyond = never(); }
    return next;
}

// Whether two edges lead to one neighbour.
fn same_neighbour(a: u32, b: u32) -> bool {
    if (a == b) { return true; }
    return (a ^ b) == 2u && select(torus.height, torus.width, (a & 1u) == 1u) <= 2u;
}

// The earliest that can come from others than the neighbour by an edge.
fn but_by(next: Others, edge: u32) -> Time {
    if (same_neighbour(edge, next.edge)) { return next.beyond; }
    return next.time;
}

// A time and a span, within the range of times.
fn later(time: Time, span: Time) -> Time {
    let sum = wide_add(time, span);
    if (wide_less(sum, time)) { return never(); }
    return sum;
}
