// queueing/initialize_facilities (once; one thread a facility)
// What: seeds the stream of each facility and starts the service of its first token at time 0.
// Writes: facilities, next_event.
// Afterwards: the model's state at time 0; tokens themselves are queueing/initialize_tokens' part.

@group(0) @binding(1) var<storage, read_write> next_event: array<Time>;
@group(0) @binding(4) var<storage, read_write> facilities: array<Facility>;

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= parameters.facilities) { return; }
    let stream = entity_stream(parameters.key, id);
    let zero = wide(0u, 0u);
    let each = parameters.tokens_each;
    let first = id * each;
    var facility = Facility(
        stream.state, stream.increment, zero, zero, zero, 0u, each, first + 1u, first + each - 1u, first, 0u);
    var end = never();
    if (each > 0u) { end = start_service(&facility, first, zero, zero); }
    next_event[id] = end;
    facilities[id] = facility;
}
