// queueing/initialize_facilities (once; one thread a facility)
// What: seeds the stream of each facility and starts the service of its first token at time 0.
// Writes: facilities, next_event.
// Afterwards: the model's state at time 0; tokens themselves are queueing/initialize_tokens' part.

@group(0) @binding(1) var<storage, read_write> next_event: array<Time>;
@group(0) @binding(4) var<storage, read_write> facilities: array<vec4<u32>>;

// Token `place` of a facility, or NONE.
fn initial_token(id: u32, place: u32) -> u32 {
    return select(NONE, id * parameters.tokens_each + place, place < parameters.tokens_each);
}

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= parameters.facilities) { return; }
    let zero = wide(0u, 0u);
    let each = parameters.tokens_each;
    let stream = entity_stream(parameters.key, id);
    var server = Server(stream.state, zero, zero, 0u, NONE);
    var end = never();
    if (each > 0u) { end = start_service(&server, stream.increment, zero, zero); }
    next_event[id] = end;
    store_server(id, server);
    let last = id * each + each - 1u;
    store_queue(id, Queue(zero, zero, initial_token(id, 0u), initial_token(id, 1u), initial_token(id, 2u), last));
}
