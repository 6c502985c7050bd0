// queueing/facility: the parts of a facility's record, loaded and stored whole.

// What a service needs.
struct Server {
    stream: Stream,
    service: Wide,        // ticks: service times of the services that started
    waiting: Wide,        // ticks: their waiting times
}

// What a departure counts.
struct Tally {
    last_departure: Wide, // of an idle facility
    completions: u32,
    serving: u32,         // the token in service, where present is 1 or more
}

struct Queue {
    present: u32,         // tokens here, the one in service included; 0: idle
    head: u32,            // the token that waits longest, where present is 2 or more
    tail: u32,            // the one that waits shortest
}

fn pair(a: Wide, b: Wide) -> vec4<u32> {
    return vec4<u32>(wide_low(a), wide_high(a), wide_low(b), wide_high(b));
}

fn load_server(id: u32) -> Server {
    let a = facilities[4u * id];
    let b = facilities[4u * id + 1u];
    return Server(Stream(wide(a.x, a.y), wide(a.z, a.w)), wide(b.x, b.y), wide(b.z, b.w));
}

fn store_server(id: u32, server: Server) {
    facilities[4u * id] = pair(server.stream.state, server.stream.increment);
    facilities[4u * id + 1u] = pair(server.service, server.waiting);
}

fn load_tally(id: u32) -> Tally {
    let word = facilities[4u * id + 2u];
    return Tally(wide(word.x, word.y), word.z, word.w);
}

fn store_tally(id: u32, tally: Tally) {
    let time = tally.last_departure;
    facilities[4u * id + 2u] = vec4<u32>(wide_low(time), wide_high(time), tally.completions, tally.serving);
}

fn load_queue(id: u32) -> Queue {
    let word = facilities[4u * id + 3u];
    return Queue(word.x, word.y, word.z);
}

fn store_queue(id: u32, queue: Queue) {
    facilities[4u * id + 3u] = vec4<u32>(queue.present, queue.head, queue.tail, 0u);
}
