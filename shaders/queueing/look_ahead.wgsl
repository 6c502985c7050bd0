// queueing/look_ahead: the service times up to each of the next visits, and their edges, from draws made in advance.
// Writes: the topology's words of these visits.

import package::lib::pcg32::{Stream, draw};
import package::lib::service::{service_time};
import package::lib::time::{Time};
import package::queueing::records::{NONE};
import edges::{store_look_ahead};
import topology::{Site, law_of, route};
import word64::{Wide, wide, wide_add};

const AHEAD: u32 = 4u; // visits: more would tell little more

// The spans from the start of the next service to its end and the ends of those behind it, and by which edges the
// tokens leave.
struct Ahead {
    first: Time,
    second: Time,
    third: Time,
    fourth: Time,
    edges: vec4<u32>,
}

fn look_ahead(site: Site, state: Wide) {
    var stream = Stream(state, site.increment);
    var span = wide(0u, 0u);
    var ahead = Ahead(span, span, span, span, vec4<u32>(NONE));
    for (var visit = 0u; visit < AHEAD; visit += 1u) {
        span = wide_add(span, service_time(law_of(site), &stream));
        let edge = route(site, draw(&stream));
        ahead = Ahead(ahead.second, ahead.third, ahead.fourth, span, vec4<u32>(ahead.edges.yzw, edge));
    }
    store_look_ahead(site.id, ahead);
}

// Up to the first visit by an edge; where no known visit takes the edge, up to the last.
fn span_by(ahead: Ahead, edge: u32) -> Time {
    if (ahead.edges.x == edge) { return ahead.first; }
    if (ahead.edges.y == edge) { return ahead.second; }
    if (ahead.edges.z == edge) { return ahead.third; }
    return ahead.fourth;
}
