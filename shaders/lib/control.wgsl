// lib/control: the clock and the counts of a run; the only thing that the host reads between batches.

import package::lib::time::{Time};
import word64::{Wide};

struct Control {
    minimum: Time,             // the earliest event time at the start of the round
    bound: Time,               // events before it happen in this round; none before it is left after the round
    limit: Time,               // the end of this phase of the run
    lookahead: Time,           // how far beyond the minimum a round may go
    events: Wide,              // events that have happened
    worked: Wide,              // by appointments: stations that decided something, summed over rounds
    entities: u32,
    blocks: u32,               // workgroups that share the entities
    round: u32,                // the number of the round that departure has begun; the first is 1
    finished: u32,             // the number of the round that arrival has ended
    running: u32,              // 0 once the limit is reached or a fault is set
    selected: atomic<u32>,     // imminent entities of this round
    fault: atomic<u32>,        // bits that the model's kernels set
    fault_entity: atomic<u32>, // the smallest entity that set one
    crowds: u32,               // workgroups of arrivals beside those of the blocks
    working: atomic<u32>,      // by appointments: stations that decided something in this round
    drift: atomic<u32>,        // ... and the furthest that one did beyond the earliest arrival, in units of 2^scale ticks
    scale: u32,                // from 1 to 31
    halted: u32,               // by appointments, and by messages: the fault word as the last pair of rounds left it, or round
    room: atomic<u32>,         // by messages: slots that the largest of the sets that are full needs; of cells: the log is full
}

var<storage, read_write> control: Control;
