// queueing/arrival (step 5; one thread a token that left in this round; one of those that meet at a facility acts)
// What: takes in what arrived at a facility by (time, source facility): into service where idle, else to the queue.
// Reads: edges, inbox, facilities, tokens. Writes: facilities, tokens, next_event.
// Afterwards: every token is in service or in a queue again.

@group(0) @binding(4) var<storage, read_write> facilities: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> tokens: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read> inbox: array<vec4<u32>>;
@group(0) @binding(7) var<storage, read> edges: array<u32>;

fn arrive(slot: u32) {
    let edge = edges[slot];
    let id = edge / 4u;
    let round = this_round();
    let low = inbox[2u * id];
    let high = inbox[2u * id + 1u];
    let arriving = vec4<u32>(low.x, low.z, high.x, high.z);
    let arrived = vec4<u32>(low.y, low.w, high.y, high.w) == vec4<u32>(round);
    let marks = select(vec4<u32>(0u), vec4<u32>(1u, 2u, 4u, 8u), arrived);
    var pending = marks.x | marks.y | marks.z | marks.w;
    // The first direction that something came from acts for all.
    if (countTrailingZeros(pending) != edge % 4u) { return; }
    var queue = load_queue(id);
    if (queue.present == 0u) {
        let first = earliest_arrival(id, pending, arriving);
        pending &= ~(1u << first);
        begin(id, arriving[first]);
        queue.present = 1u;
    }
    while (pending != 0u) {
        let next = earliest_arrival(id, pending, arriving);
        pending &= ~(1u << next);
        append(&queue, arriving[next]);
    }
    store_queue(id, queue);
}

// The direction of the first of the pending arrivals. Several directions can lead from one source (a side of 1 or
// 2), but a source sends one token a round, so time and source decide.
fn earliest_arrival(id: u32, pending: u32, arriving: vec4<u32>) -> u32 {
    var best = countTrailingZeros(pending);
    if (countOneBits(pending) == 1u) { return best; }
    var best_time = token_time(tokens[arriving[best]]);
    for (var direction = best + 1u; direction < 4u; direction += 1u) {
        if (((pending >> direction) & 1u) == 0u) { continue; }
        let time = token_time(tokens[arriving[direction]]);
        let tie = !wide_less(best_time, time) && source(id, direction) < source(id, best);
        if (wide_less(time, best_time) || tie) {
            best = direction;
            best_time = time;
        }
    }
    return best;
}

fn source(id: u32, direction: u32) -> u32 { return neighbour(id, (direction + 2u) % 4u); }

// Starts the service of a token at an idle facility, which may have become idle in this very round.
fn begin(id: u32, token: u32) {
    let arrival = token_time(tokens[token]);
    var server = load_server(id);
    var tally = load_tally(id);
    let start = wide_maximum(arrival, tally.last_departure);
    let end = start_service(&server, arrival, start);
    if (waiting_wrapped(server, arrival, start)) { raise(FAULT_WAITING, id); }
    tally.serving = token;
    store_server(id, server);
    store_tally(id, tally);
    schedule(id, end);
}

fn append(queue: ptr<function, Queue>, token: u32) {
    if ((*queue).present == 1u) {
        (*queue).head = token;
    } else {
        tokens[(*queue).tail].z = token;
    }
    (*queue).tail = token;
    (*queue).present += 1u;
}
