// processes/records: the record of a logical process on the device: three words of 16 bytes. Mirrored in
// src/processes/gpu/records.rs.
//
//   the header of its set of pending events, see pending/queue (without order: processes/counted_sets)
//   the state of its random stream | the time of its last event
//   events executed (64 bits) | messages sent | the first word of the model's state
//
// Reads and writes: processes, inboxes. A thread is at work on one process at a time.

import package::lib::time::{Time};
import word64::{Wide, wide, wide_high, wide_low};

const FAULT_LOOKAHEAD: u32 = 1u;
const FAULT_DESTINATION: u32 = 2u;
const FAULT_TIME: u32 = 4u;
const FAULT_MESSAGES: u32 = 8u;
const FAULT_START: u32 = 16u;
const FAULT_MOST_SENT: u32 = 32u;
const FAULT_OUTSIDE: u32 = 64u;
const FAULT_STATE: u32 = 128u;

struct Parameters {
    key: Wide,            // of the random streams
    lookahead: Wide,      // a lower bound on the delay of a message
    processes: u32,
    slots: u32,           // of each set of pending events
    outbox: u32,          // messages that a process may send in a round
    most_sent: u32,       // ... and that an event may send
    events: u32,          // events that a process may execute in a round
    starting: u32,        // events that a process may have at the start
    state_words: u32,     // of each process
    inbox_shift: u32,     // each inbox has 2^inbox_shift words, so that each GPU has its own inboxes in its memory
}

var<storage, read_write> inboxes: array<atomic<u32>>;   // a list of messages to each process
var<uniform> parameters: Parameters;
var<storage, read_write> processes: array<vec4<u32>>;

struct Process {
    id: u32,
    now: Time,            // the time of its last event
    executed: Wide,
    sent: u32,
    word: u32,
}

var<private> process: Process;

// The word of an inbox.
fn inbox_of(place: u32) -> u32 { return place << parameters.inbox_shift; }

// Opens the process at a place; returns the state of its stream.
fn open_process(place: u32) -> Wide {
    let stream = processes[3u * place + 1u];
    let counts = processes[3u * place + 2u];
    process = Process(place, wide(stream.z, stream.w), wide(counts.x, counts.y), counts.z, counts.w);
    return wide(stream.x, stream.y);
}

fn close_process(state: Wide) {
    let now = process.now;
    let executed = process.executed;
    let word = 3u * process.id;
    processes[word + 1u] = vec4<u32>(wide_low(state), wide_high(state), wide_low(now), wide_high(now));
    processes[word + 2u] = vec4<u32>(wide_low(executed), wide_high(executed), process.sent, process.word);
}
