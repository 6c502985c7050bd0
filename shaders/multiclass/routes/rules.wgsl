// multiclass/routes/rules: what the model table says of routes.
// Reads: parameters, model_table.

import constants::{HAS_DELAYS};
import package::lib::time::{Time};
import package::multiclass::parameters::{plan, model_row};
import package::multiclass::stations::rules::{Visit};
import word64::{Wide, wide};

struct Edge {
    upper: u32,       // the largest draw that takes it
    goal: u32,        // a station, or behind all stations a sink
    becomes: u32,     // the class of a token from then on
}

fn edge_at(edge: u32) -> Edge {
    let row = model_row(plan.edges + 2u * edge);
    return Edge(row.x, row.y, row.z);
}

// How long the way takes; the largest value of an attribute that takes it.
struct EdgeDelay {
    delay: Wide,
    up_to: Wide,
}

fn edge_delay(edge: u32) -> EdgeDelay {
    let row = model_row(plan.edges + 2u * edge + 1u);
    return EdgeDelay(wide(row.x, row.y), wide(row.z, row.w));
}

fn delay_of(edge: u32) -> Time {
    if (!HAS_DELAYS) { return wide(0u, 0u); }
    return edge_delay(edge).delay;
}

// The edge that a draw takes: the first edge whose largest draw is not below it.
fn edge_of(visit: Visit, draw: u32) -> u32 {
    var edge = visit.first;
    while (edge < visit.last && edge_at(edge).upper < draw) { edge += 1u; }
    return edge;
}

// How a station chooses a route (ways_chosen): the number of routes it looks at, its number among stations that choose by the visit, or an
// attribute.
struct Routing {
    rule: u32,
    number: u32,
}

fn routing_of(id: u32) -> Routing {
    let row = model_row(plan.ways + id);
    return Routing(row.x, row.y);
}

// A class at a station: the mean of its services, the room for its tokens, and the servers of the station, or 0 where every token is
// served at once.
struct ClassLimit {
    mean: Wide,
    capacity: u32,
    servers: u32,
}

fn limit_of(id: u32, class_of: u32) -> ClassLimit {
    let row = model_row(plan.limits + id * plan.classes + class_of);
    return ClassLimit(wide(row.x, row.y), row.z, row.w);
}
