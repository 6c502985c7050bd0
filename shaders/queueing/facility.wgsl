// queueing/facility: the two halves of a facility's record, loaded and stored whole.

// What a service needs and counts.
struct Server {
    state: Wide,          // of the random stream
    service: Wide,        // ticks: service times of the services that started
    waiting: Wide,        // ticks: their waiting times
    completions: u32,
    left: u32,            // the token of the last departure
}

// Who is here. The time of the head is kept here, so that a queue of one needs no token record.
struct Queue {
    head_time: Time,      // when the head arrived
    last_departure: Time,
    serving: u32,         // the token in service; NONE: idle
    head: u32,            // the token that waits longest; NONE: nobody waits
    second: u32,          // the one behind it; NONE: nobody
    tail: u32,            // the one that waits shortest, where there is a second
}

fn load_server(id: u32) -> Server {
    let a = facilities[4u * id];
    let b = facilities[4u * id + 1u];
    return Server(wide(a.x, a.y), wide(a.z, a.w), wide(b.x, b.y), b.z, b.w);
}

fn store_server(id: u32, server: Server) {
    facilities[4u * id] = pair(server.state, server.service);
    facilities[4u * id + 1u] = entry(server.waiting, server.completions, server.left);
}

fn load_queue(id: u32) -> Queue {
    let a = facilities[4u * id + 2u];
    let b = facilities[4u * id + 3u];
    return Queue(wide(a.x, a.y), wide(a.z, a.w), b.x, b.y, b.z, b.w);
}

fn store_queue_times(id: u32, queue: Queue) {
    facilities[4u * id + 2u] = pair(queue.head_time, queue.last_departure);
}

fn store_queue_places(id: u32, queue: Queue) {
    facilities[4u * id + 3u] = vec4<u32>(queue.serving, queue.head, queue.second, queue.tail);
}

fn store_queue(id: u32, queue: Queue) {
    store_queue_times(id, queue);
    store_queue_places(id, queue);
}
