// queueing/departure (step 4; one thread an imminent facility)
// What: ends the service in progress, sends its token along a random edge and starts the next waiting one.
// Reads: next_event, facilities, tokens. Writes: next_event, facilities, departures and arrived.
// Afterwards: every token that left in this round is in departures, and its target's word in arrived has the round
//             and the direction.

@group(0) @binding(4) var<storage, read_write> facilities: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> tokens: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read_write> arrived: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> departures: array<vec4<u32>>;

fn depart(slot: u32, id: u32) {
    let time = next_event[id];
    var server = load_server(id);
    var queue = load_queue(id);
    var stream = Stream(server.state, entity_increment(parameters.key, id));
    // The route of a visit is the draw after its service time.
    send(slot, id, queue.serving, time, draw(&stream) >> 30u);
    server.state = stream.state;
    server.left = queue.serving;
    server.completions += 1u;
    if (server.completions == 0u) { raise(FAULT_COMPLETIONS, id); }
    queue.last_departure = time;
    queue.serving = queue.head;
    if (queue.head == NONE) {
        next_event[id] = never();
    } else {
        let end = start_service(&server, stream.increment, queue.head_time, time);
        if (waiting_wrapped(server, queue.head_time, time)) { raise(FAULT_WAITING, id); }
        schedule(id, end);
        advance(&queue);
    }
    store_server(id, server);
    store_queue(id, queue);
}

// The second in the queue becomes its head.
fn advance(queue: ptr<function, Queue>) {
    let second = (*queue).second;
    (*queue).head = second;
    if (second != NONE) {
        let record = tokens[second];
        (*queue).head_time = entry_time(record);
        (*queue).second = record.z;
    }
}

// No atomic's return value is used: the word ends up with this round and a bit for every direction, in any order.
fn send(slot: u32, id: u32, token: u32, time: Time, direction: u32) {
    let there = neighbour(id, direction);
    atomicMax(&arrived[there], this_round() << 4u);
    atomicOr(&arrived[there], 1u << direction);
    departures[slot] = entry(time, token, 4u * id + direction);
}
