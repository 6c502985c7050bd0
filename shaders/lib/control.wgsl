// lib/control: the status of a run; the only words that the host reads between batches. First come the words of the
// engine and of every model, the clock and the counts; then the words of this model.

import model_status::{ModelStatus};
import package::lib::time::{Time};
import word64::{Wide};

struct Control {
    minimum: Time,             // the earliest event time at the start of the round
    bound: Time,               // events before it happen in this round; none before it is left after the round
    limit: Time,               // the end of this phase of the run
    lookahead: Time,           // how far beyond the minimum a round may go
    events: Wide,              // events that have happened
    rounds: Wide,              // of dispatches that run many rounds: the rounds run
    // The words that all workgroups read, up to `finished`, lie in another sector (32 bytes) than `selected`.
    entities: u32,
    blocks: u32,               // workgroups that share the entities
    round: u32,                // the number of the round that has begun; the first is 1
    finished: u32,             // the number of the round that has ended
    running: u32,              // 0 once the limit is reached, a fault is set or there is no room
    selected: atomic<u32>,     // events that have happened and are not yet counted above
    fault: atomic<u32>,        // bits that the model's kernels set
    fault_entity: atomic<u32>, // the smallest entity that set one
    halted: u32,               // the fault word as the last round left it, where all workgroups must see the same
    room: atomic<u32>,         // the room that was missing, in units of the model: no round begins before it is 0
    extra_groups: u32,         // workgroups of a dispatch beside those of the blocks
    turns: u32,                // the most rounds of such a dispatch
    model: ModelStatus,
}

var<storage, read_write> control: Control;
