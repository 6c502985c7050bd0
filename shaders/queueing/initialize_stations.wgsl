// queueing/initialize_stations (once; one thread a station)
// What: seeds the stream of each station and decides the visits of the tokens that are there at time 0.
// Writes: stations, tokens, next_event, and what the topology keeps of servers.
// Afterwards: the model's state at time 0, but for its sources.

@group(0) @binding(1) var<storage, read_write> next_event: array<Time>;
@group(0) @binding(4) var<storage, read_write> stations: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> tokens: array<vec4<u32>>;
@group(0) @binding(9) var<uniform> parameters: Parameters;

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= parameters.stations) { return; }
    let zero = wide(0u, 0u);
    let site = site_of(id);
    var station = Station(initial_stream(id).state, zero, zero, zero, 0u, 0u, 0u, 0u);
    let here = initial_tokens(id);
    for (var token = here.x; token < here.x + here.y; token += 1u) {
        let visit = serve(site, &station, zero);
        account_exit(token, site, visit);
        store_visit(token, id, zero, visit);
        next_event[token] = visit.arrival;
    }
    remember(id);
    store_station(id, station);
}

// A station cannot have let in 2^32 tokens yet.
fn raise(fault: u32, entity: u32) {}
