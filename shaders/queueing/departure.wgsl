// queueing/departure (step 4; one thread an imminent facility)
// What: ends the service in progress, sends its token along a random edge and starts the next waiting one.
// Reads: next_event, facilities, tokens. Writes: those, inbox, and the edge taken in place of the facility in imminent.
// Afterwards: every token that left in this round is in the inbox of its target with its arrival time.

@group(0) @binding(4) var<storage, read_write> facilities: array<Facility>;
@group(0) @binding(5) var<storage, read_write> tokens: array<Token>;
@group(0) @binding(6) var<storage, read_write> inbox: array<Inbox>;

fn process(slot: u32, id: u32) {
    let time = next_event[id];
    var facility = facilities[id];
    let leaving = facility.serving;
    send(slot, id, leaving, time, &facility);
    facility.completions += 1u;
    facility.present -= 1u;
    if (facility.completions == 0u) { raise(FAULT_COMPLETIONS, id); }
    if (facility.present == 0u) {
        facility.last_departure = time;
        next_event[id] = never();
    } else {
        let waiting = tokens[facility.head];
        let before = facility.waiting;
        let end = start_service(&facility, facility.head, waiting.time, time);
        facility.head = waiting.next;
        if (wide_less(facility.waiting, before)) { raise(FAULT_WAITING, id); }
        schedule(id, end);
    }
    facilities[id] = facility;
}

// The route of a visit is the draw after its service time.
fn send(slot: u32, id: u32, token: u32, time: Time, facility: ptr<function, Facility>) {
    var stream = Stream((*facility).state, (*facility).increment);
    let direction = draw(&stream) >> 30u;
    (*facility).state = stream.state;
    let there = neighbour(id, direction);
    tokens[token] = Token(time, NONE, 0u);
    inbox[there].tokens[direction] = token;
    inbox[there].rounds[direction] = control.round;
    imminent[slot] = 4u * there + direction;
}
