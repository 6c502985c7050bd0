// queueing/initialize_sources (once; one thread a source or slot of the pool)
// What: seeds the stream of each source and draws when its first token comes; no slot has an event yet.
// Writes: annex, next_event.

@group(0) @binding(1) var<storage, read_write> next_event: array<Time>;
@group(0) @binding(9) var<uniform> parameters: Parameters;

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    let slots = places.chunks * CHUNK;
    if (id < slots) { next_event[parameters.sources + parameters.tokens - slots + id] = never(); }
    if (id >= parameters.sources) { return; }
    let place = places.sources + 2u * (id % places.sources_each);
    let row = structure[place];
    let start = structure[place + 1u];
    var stream = entity_stream(stream_key(id / places.sources_each), places.each + id % places.sources_each);
    let first = wide_add(wide(start.x, start.y), service_time(law_at(row.x), &stream));
    next_event[id] = first;
    if (row.z == 0u && row.w == 0u) { next_event[id] = never(); }
    set_annex(places.origins + 3u * id, stream.state);
}
