// queueing/departure (step 4; one thread an imminent facility)
// What: ends the service in progress, sends its token along a random edge and starts the next waiting one.
// Reads: next_event, facilities, tokens. Writes: those, inbox and edges.
// Afterwards: every token that left in this round is in the inbox of its target with its arrival time, and edges
//             holds 4 * target + direction in the slot of the facility that it left.

@group(0) @binding(4) var<storage, read_write> facilities: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> tokens: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read_write> inbox: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read_write> edges: array<u32>;

fn depart(slot: u32, id: u32) {
    let time = next_event[id];
    var server = load_server(id);
    var tally = load_tally(id);
    var queue = load_queue(id);
    var stream = server.stream;
    // The route of a visit is the draw after its service time.
    send(slot, id, tally.serving, time, draw(&stream) >> 30u);
    server.stream = stream;
    tally.completions += 1u;
    if (tally.completions == 0u) { raise(FAULT_COMPLETIONS, id); }
    queue.present -= 1u;
    if (queue.present == 0u) {
        tally.last_departure = time;
        next_event[id] = never();
    } else {
        let waiting = tokens[queue.head];
        let end = start_service(&server, token_time(waiting), time);
        if (waiting_wrapped(server, token_time(waiting), time)) { raise(FAULT_WAITING, id); }
        tally.serving = queue.head;
        queue.head = waiting.z;
        schedule(id, end);
    }
    store_server(id, server);
    store_tally(id, tally);
    store_queue(id, queue);
}

fn send(slot: u32, id: u32, token: u32, time: Time, direction: u32) {
    let edge = 4u * neighbour(id, direction) + direction;
    tokens[token] = token_word(time, NONE);
    inbox[edge] = vec2<u32>(token, this_round());
    edges[slot] = edge;
}
