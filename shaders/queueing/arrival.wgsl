// queueing/arrival (step 5; one thread a token that left in this round; one of those that meet at a facility acts)
// What: takes in what arrived at a facility by (time, source facility): into service where idle, else to the queue.
// Reads: imminent (edges), inbox, facilities, tokens. Writes: facilities, tokens, next_event.
// Afterwards: every token is in service or in a queue again.

@group(0) @binding(4) var<storage, read_write> facilities: array<Facility>;
@group(0) @binding(5) var<storage, read_write> tokens: array<Token>;
@group(0) @binding(6) var<storage, read_write> inbox: array<Inbox>;

fn process(slot: u32, edge: u32) {
    let id = edge / 4u;
    let round = control.round;
    let arrived = select(0u, 1u, inbox[id].rounds[0] == round) | select(0u, 2u, inbox[id].rounds[1] == round)
        | select(0u, 4u, inbox[id].rounds[2] == round) | select(0u, 8u, inbox[id].rounds[3] == round);
    // The first direction that something came from acts for all.
    if (countTrailingZeros(arrived) != edge % 4u) { return; }
    var facility = facilities[id];
    var pending = arrived;
    while (pending != 0u) {
        let direction = earliest_arrival(id, pending);
        pending &= ~(1u << direction);
        take_in(id, inbox[id].tokens[direction], &facility);
    }
    facilities[id] = facility;
}

// The direction of the first of the pending arrivals. Several directions can lead from one source (a side of 1 or
// 2), but a source sends one token a round, so time and source decide.
fn earliest_arrival(id: u32, pending: u32) -> u32 {
    var best = countTrailingZeros(pending);
    if (countOneBits(pending) == 1u) { return best; }
    var best_time = tokens[inbox[id].tokens[best]].time;
    for (var direction = best + 1u; direction < 4u; direction += 1u) {
        if ((pending >> direction & 1u) == 0u) { continue; }
        let time = tokens[inbox[id].tokens[direction]].time;
        let tie = !wide_less(best_time, time) && source(id, direction) < source(id, best);
        if (wide_less(time, best_time) || tie) {
            best = direction;
            best_time = time;
        }
    }
    return best;
}

fn source(id: u32, direction: u32) -> u32 { return neighbour(id, (direction + 2u) % 4u); }

fn take_in(id: u32, token: u32, facility: ptr<function, Facility>) {
    (*facility).present += 1u;
    if ((*facility).present == 1u) {
        let arrival = tokens[token].time;
        let before = (*facility).waiting;
        let start = wide_maximum(arrival, (*facility).last_departure);
        let end = start_service(facility, token, arrival, start);
        if (wide_less((*facility).waiting, before)) { raise(FAULT_WAITING, id); }
        schedule(id, end);
        return;
    }
    if ((*facility).present == 2u) {
        (*facility).head = token;
    } else {
        tokens[(*facility).tail].next = token;
    }
    (*facility).tail = token;
}
