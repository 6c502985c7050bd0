// queueing/ahead: the next visits of a station as far as its stream alone decides them: the service time and the edge
// of each. The state is the state of the stream behind these draws.

import package::lib::pcg32::{Stream, draw};
import package::lib::service::{service_time};
import package::lib::time::{Time};
import package::queueing::torus::{Site, law_of, route};
import word64::{Wide, wide_add};

const AHEAD: u32 = 4u;   // visits: more would tell little more

struct Ahead {
    first: Time,
    second: Time,
    third: Time,
    fourth: Time,
    edges: u32,          // eight bits each, the next visit's lowest
}

// Drops the visit that is decided, and draws another behind the rest.
fn moved_up(ahead: Ahead, site: Site, state: ptr<function, Wide>) -> Ahead {
    var stream = Stream(*state, site.increment);
    let time = service_time(law_of(site), &stream);
    let edge = route(site, draw(&stream));
    *state = stream.state;
    return Ahead(ahead.second, ahead.third, ahead.fourth, time, (ahead.edges >> 8u) | (edge << 24u));
}

// Sums of service times up to the first visit that leaves by each edge; where no visit does, of all visits.
struct Spans {
    first: Time,
    second: Time,
    third: Time,
    all: Time,
    edges: u32,
}

fn spans_of(ahead: Ahead) -> Spans {
    let second = wide_add(ahead.first, ahead.second);
    let third = wide_add(second, ahead.third);
    return Spans(ahead.first, second, third, wide_add(third, ahead.fourth), ahead.edges);
}

fn span_by(spans: Spans, edge: u32) -> Time {
    if ((spans.edges & 0xffu) == edge) { return spans.first; }
    if (((spans.edges >> 8u) & 0xffu) == edge) { return spans.second; }
    if (((spans.edges >> 16u) & 0xffu) == edge) { return spans.third; }
    return spans.all;
}
