// queueing/neighbours: lower bounds on arrivals still to come to a station of a torus from its neighbours.

import package::lib::time::{Time, never};
import package::lib::wide::{wide_maximum, wide_minimum};
import package::queueing::torus::{torus};
import word64::{wide_less};

// Lower bounds on arrivals that are in no list yet: the earliest such time, by which edges (a bit each; the neighbour above
// may be the one below, too), and the earliest from other neighbours.
struct Others {
    time: Time,
    edges: u32,
    beyond: Time,
}

// The edges that lead to the same station as this edge.
fn edges_to(edge: u32) -> u32 {
    if (select(torus.height, torus.width, (edge & 1u) == 1u) <= 2u) { return 5u << (edge & 1u); }
    return 1u << edge;
}

// From the appointments of each neighbour.
fn others_of(down: Time, right: Time, up: Time, left: Time) -> Others {
    let upright = nearer(down, up, torus.height);
    let level = nearer(right, left, torus.width);
    if (wide_less(level.time, upright.time)) {
        return Others(level.time, level.edges << 1u, wide_minimum(level.beyond, upright.time));
    }
    return Others(upright.time, upright.edges, wide_minimum(upright.beyond, level.time));
}

// The earlier of two opposite neighbours; a station may be its own neighbour.
fn nearer(a: Time, b: Time, stations_across: u32) -> Others {
    let b_first = wide_less(b, a);
    let time = wide_minimum(a, b);
    if (stations_across > 2u) { return Others(time, select(1u, 4u, b_first), wide_maximum(a, b)); }
    if (stations_across == 2u) { return Others(time, 5u, never()); }
    return Others(never(), 5u, never());
}

// The earliest arrival that can come from others than the neighbour by an edge.
fn but_by(next: Others, edge: u32) -> Time {
    if ((next.edges & (1u << edge)) != 0u) { return next.beyond; }
    return next.time;
}
