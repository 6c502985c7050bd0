// queueing/initialize_appointments (once, after queueing/initialize_stations; one thread a station)
// What: sends on what is there at time 0, and publishes the first appointments.
// Reads: stations, tokens, next_event. Writes: links, appointments, spans.
// Afterwards: as after a round of queueing/appoint of the other parity.

const OTHER: u32 = 0u; // what the first round reads

@group(0) @binding(1) var<storage, read> next_event: array<Time>;
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
        push(inbox_of(OTHER, target_of(here, tokens[2u * token + 1u].y)), token);
    }
    let station = load_station(id);
    look_ahead(site_of(id), here, station.state);
    for (var edge = 0u; edge < edges_out(here); edge += 1u) {
        let span = span_of(id, edge);
        let time = wide_add(station.free, span);
        // Nothing is known yet of what comes, and the server is taken until then.
        appointments[place_to(id, edge)] = select_time(wide_less(time, span), time);
    }
}

fn select_time(passed: bool, time: Time) -> Time {
    if (passed) { return never(); }
    return time;
}

fn raise(fault: u32, entity: u32) {}
