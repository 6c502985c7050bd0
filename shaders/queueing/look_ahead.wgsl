// queueing/look_ahead: the service times up to the first visit that leaves by each edge: the draws are there already.
// Writes: the spans of the station.

const AHEAD: u32 = 4u; // visits: more of them tell little more

fn look_ahead(site: Site, here: Around, state: Wide) {
    var stream = Stream(state, site.increment);
    var span = wide(0u, 0u);
    var found = 0u;
    let edges = edges_out(here);
    for (var visit = 0u; visit < AHEAD; visit += 1u) {
        span = wide_add(span, service_time(law_of(site), &stream));
        let edge = route(site, draw(&stream));
        if ((found & (1u << edge)) == 0u) { set_span(site.id, edge, span); }
        found |= 1u << edge;
    }
    for (var edge = 0u; edge < edges; edge += 1u) {
        if ((found & (1u << edge)) == 0u) { set_span(site.id, edge, span); }
    }
}
