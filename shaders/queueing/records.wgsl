// queueing/records: what a facility and a token are on the device. Mirrored in src/queueing/gpu.rs.

const NONE: u32 = 0xffffffffu;
const FAULT_COMPLETIONS: u32 = 1u;
const FAULT_WAITING: u32 = 2u;

// The first 32 bytes change when a service starts, the second with every departure and arrival.
struct Facility {
    state: Wide,          // the random stream
    increment: Wide,
    service: Wide,        // ticks: service times of the services that started
    waiting: Wide,        // ticks: their waiting times
    last_departure: Wide, // of an idle facility
    completions: u32,
    present: u32,         // tokens here, the one in service included; 0: idle
    head: u32,            // the token that waits longest, where present is 2 or more
    tail: u32,            // the one that waits shortest
    serving: u32,         // the token in service, where present is 1 or more
    unused: u32,
}

struct Token {
    time: Time,           // when it arrived where it is
    next: u32,            // the token behind it in the queue
    unused: u32,
}

// What arrives at a facility: a place for each direction that tokens come from, valid where the round is this one.
struct Inbox {
    tokens: array<u32, 4>,
    rounds: array<u32, 4>,
}

struct Parameters {
    key: Wide,
    width: u32,
    height: u32,
    facilities: u32,
    tokens_each: u32,
    tokens: u32,
    unused: u32,
    law: Law,             // at a multiple of 16 bytes, as uniform buffers want it
}
