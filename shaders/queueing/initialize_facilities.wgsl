// queueing/initialize_facilities (once; one thread a facility)
// What: seeds the stream of each facility and starts the service of its first token at time 0.
// Writes: facilities, next_event.
// Afterwards: the model's state at time 0; tokens themselves are queueing/initialize_tokens' part.

@group(0) @binding(1) var<storage, read_write> next_event: array<Time>;
@group(0) @binding(4) var<storage, read_write> facilities: array<vec4<u32>>;

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= parameters.facilities) { return; }
    let zero = wide(0u, 0u);
    let each = parameters.tokens_each;
    let first = id * each;
    var server = Server(entity_stream(parameters.key, id), zero, zero);
    var end = never();
    if (each > 0u) { end = start_service(&server, zero, zero); }
    next_event[id] = end;
    store_server(id, server);
    store_tally(id, Tally(zero, 0u, first));
    store_queue(id, Queue(each, first + 1u, first + each - 1u));
}
