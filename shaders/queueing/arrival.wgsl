// queueing/arrival (step 5; one thread a token that left in this round; one of those that meet at a facility acts)
// What: takes in what arrived at a facility by (time, source facility): into service where idle, else to the queue.
// Reads: departures, arrived, facilities, tokens. Writes: facilities, tokens, next_event.
// Afterwards: every token is in service or in a queue again.

@group(0) @binding(4) var<storage, read_write> facilities: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> tokens: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read> arrived: array<u32>;
@group(0) @binding(7) var<storage, read> departures: array<vec4<u32>>;

// A token and when it arrives.
struct Arrival {
    time: Time,
    token: u32,
}

fn arrive(slot: u32) {
    let departure = departures[slot];
    let direction = departure.w % 4u;
    let id = neighbour(departure.w / 4u, direction);
    var pending = arrived[id] & 15u;
    var queue = load_queue(id);
    let head_time = queue.head_time;
    // The first direction that something came from acts for all.
    if (countTrailingZeros(pending) != direction) { return; }
    if (pending == 1u << direction) {
        take_in(id, &queue, Arrival(entry_time(departure), departure.z));
    } else {
        while (pending != 0u) {
            let next = earliest_arrival(id, pending);
            pending &= ~(1u << next);
            take_in(id, &queue, arrival_along(id, next));
        }
    }
    // Scattered stores cost most: a token behind the head, or in service, leaves the times as they were.
    if (wide_differs(queue.head_time, head_time)) { store_queue_times(id, queue); }
    store_queue_places(id, queue);
}

// What the facility in a direction has just sent here: a source sends one token a round.
fn arrival_along(id: u32, direction: u32) -> Arrival {
    let there = source(id, direction);
    let times = facilities[4u * there + 2u];
    return Arrival(wide(times.z, times.w), facilities[4u * there + 1u].w);
}

fn source(id: u32, direction: u32) -> u32 { return neighbour(id, (direction + 2u) % 4u); }

// The direction of the first of the pending arrivals by (time, source). On a side of 1 or 2 several directions lead
// from one source, but never in one round.
fn earliest_arrival(id: u32, pending: u32) -> u32 {
    var best = countTrailingZeros(pending);
    var best_time = arrival_along(id, best).time;
    for (var direction = best + 1u; direction < 4u; direction += 1u) {
        if (((pending >> direction) & 1u) == 0u) { continue; }
        let time = arrival_along(id, direction).time;
        let tie = !wide_less(best_time, time) && source(id, direction) < source(id, best);
        if (wide_less(time, best_time) || tie) {
            best = direction;
            best_time = time;
        }
    }
    return best;
}

fn take_in(id: u32, queue: ptr<function, Queue>, arrival: Arrival) {
    if ((*queue).serving == NONE) {
        begin(id, arrival, (*queue).last_departure);
        (*queue).serving = arrival.token;
    } else if ((*queue).head == NONE) {
        (*queue).head = arrival.token;
        (*queue).head_time = arrival.time;
        (*queue).second = NONE;
    } else {
        tokens[arrival.token] = entry(arrival.time, NONE, 0u);
        if ((*queue).second == NONE) {
            (*queue).second = arrival.token;
        } else {
            tokens[(*queue).tail].z = arrival.token;
        }
        (*queue).tail = arrival.token;
    }
}

// Starts a service at an idle facility, which may have become idle in this very round.
fn begin(id: u32, arrival: Arrival, last_departure: Time) {
    var server = load_server(id);
    let start = wide_maximum(arrival.time, last_departure);
    let end = start_service(&server, entity_increment(parameters.key, id), arrival.time, start);
    if (waiting_wrapped(server, arrival.time, start)) { raise(FAULT_WAITING, id); }
    store_server(id, server);
    schedule(id, end);
}
