// queueing/initialize_tiles (once, after queueing/initialize_stations; one thread a station)
// What: draws the next visits and sends on what is there at time 0. Nothing is known of others yet, nor published: 0.
// Reads: tokens, next_event. Reads and writes: stations. Writes: links, appointments.
// Afterwards: as after a round that PARITY 0 follows.

@group(0) @binding(1) var<storage, read> next_event: array<Time>;
@group(0) @binding(4) var<storage, read_write> stations: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> tokens: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read_write> links: array<atomic<u32>>;
@group(0) @binding(9) var<uniform> parameters: Parameters;

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= parameters.stations) { return; }
    let here = initial_tokens(id);
    for (var token = here.x; token < here.x + here.y; token += 1u) {
        if (!wide_less(next_event[token], never())) { continue; }
        push(inbox_of(0u, destination(token)), token);
    }
    var station = load_station(id);
    var state = station.state;
    let zero = wide(0u, 0u);
    var ahead = Ahead(zero, zero, zero, zero, 0u);
    for (var visit = 0u; visit < AHEAD; visit += 1u) { ahead = moved_up(ahead, site_of(id), &state); }
    station.state = state;
    store_station(id, station);
    store_ahead(id, ahead);
    atomicStore(&links[edges_place(id)], ahead.edges);
}

fn raise(fault: u32, entity: u32) {}
