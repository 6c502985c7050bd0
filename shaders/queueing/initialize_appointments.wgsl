// queueing/initialize_appointments (once, after queueing/initialize_stations; one thread a station)
// What: sends on what is there at time 0, and publishes the first appointments.
// Reads: stations, tokens, next_event. Writes: links, appointments, what is looked ahead.
// Afterwards: as after a round of queueing/appoint of the other parity.

const OTHER: u32 = 0u; // what the first round reads

@group(0) @binding(1) var<storage, read_write> next_event: array<Time>;
@group(0) @binding(4) var<storage, read_write> stations: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> tokens: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read_write> links: array<atomic<u32>>;
@group(0) @binding(9) var<uniform> parameters: Parameters;

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= parameters.stations) { return; }
    let here = around(id);
    let first = initial_tokens(id);
    for (var token = first.x; token < first.x + first.y; token += 1u) {
        if (!wide_less(next_event[token], never())) { continue; }
        let target_station = target_of(here, tokens[2u * token + 1u].y);
        if (target_station == NONE) {
            keep_until_gone(id, token);
        } else {
            push(inbox_of(OTHER, target_station), token);
        }
    }
    begin_sources(id);
    let station = load_station(id);
    look_ahead(site_of(id), station.state);
    let ahead = load_ahead(id);
    for (var edge = first_out(here); edge < behind_out(here); edge += 1u) {
        let place = place_to(here, edge);
        // Nothing is known yet of what comes, and the server is taken until then.
        let span = later(span_by(ahead, edge), transit(edge));
        if (place != NONE) { set_appointment(OTHER, place, later(station.free, span), span); }
    }
}

fn raise(fault: u32, entity: u32) {}
