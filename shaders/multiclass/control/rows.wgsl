// multiclass/control/rows: what the model table says of a network under control, and what a copy of it keeps.
//
// From plan.control on lie two rows of sizes and times, a row of each station and a row of each source; from plan.looks on what is observed, and
// behind it what is earned.
//
// Reads: parameters, model_table. Reads and writes: copy_state, of this thread's copy only.

import package::lib::time::{Time};
import package::multiclass::parameters::{plan, model_row};
import package::multiclass::rows::{copy_number};
import word64::{wide, wide_high, wide_low};

// Words that a decision has; numbers that are observed; what is earned; 1 where copies stop behind every event.
struct ControlSizes {
    words: u32,
    observed: u32,
    earned: u32,
    by_event: u32,
}

fn control_sizes() -> ControlSizes {
    let row = model_row(plan.control);
    return ControlSizes(row.x, row.y, row.z, row.w);
}

// The time from a decision to the next one, and the horizon.
struct ControlTimes {
    every: Time,
    until: Time,
}

fn control_times() -> ControlTimes {
    let row = model_row(plan.control + 1u);
    return ControlTimes(wide(row.x, row.y), wide(row.z, row.w));
}

// Of a station, the numbers of its words in a decision, or NONE: how many servers it has; the first of the ranks of the classes; the route. 1
// where its servers fail.
struct Controlled {
    servers: u32,
    ranks: u32,
    route: u32,
    fails: u32,
}

fn controlled_at(id: u32) -> Controlled {
    let row = model_row(plan.control + 2u + id);
    return Controlled(row.x, row.y, row.z, row.w);
}

// The number of the word of a source with the route of its tokens, or NONE.
struct ControlledSource { route: u32 }

fn controlled_source_at(source: u32) -> u32 {
    let row = model_row(plan.control + 2u + plan.stations + source);
    return ControlledSource(row.x).route;
}

// What is looked at: the kind of number, a station or sink, and a class or NONE for all.
struct Looked {
    kind: u32,
    place: u32,
    class_of: u32,
}

fn looked_row(number: u32) -> Looked {
    let row = model_row(plan.looks + number);
    return Looked(row.x, row.y, row.z);
}

// Of a copy: the step that it has begun last; how often it has begun anew; RUNS and the other flags.
struct CopyProgress {
    step: u32,
    episode: u32,
    about: u32,
}

// It has no decision yet and is to come to one; it has just begun anew; it is at its horizon; something has happened since the decision;
// the decision has not been carried out.
const RUNS: u32 = 1u;
const FRESH: u32 = 2u;
const ENDED: u32 = 4u;
const WOKEN: u32 = 8u;
const DECIDED: u32 = 16u;

var<storage, read_write> copy_state: array<vec4<u32>>;

fn copy_row(row: u32) -> u32 { return row * plan.replications + copy_number; }

fn copy_progress() -> CopyProgress {
    let row = copy_state[copy_row(0u)];
    return CopyProgress(row.x, row.y, row.z);
}

fn set_copy_progress(row: CopyProgress) { copy_state[copy_row(0u)] = vec4<u32>(row.step, row.episode, row.about, 0u); }

// The times of its last decision and of its last event.
struct CopyClock {
    decision: Time,
    now: Time,
}

fn copy_clock() -> CopyClock {
    let row = copy_state[copy_row(1u)];
    return CopyClock(wide(row.x, row.y), wide(row.z, row.w));
}

fn set_copy_clock(row: CopyClock) {
    copy_state[copy_row(1u)] = vec4<u32>(wide_low(row.decision), wide_high(row.decision), wide_low(row.now), wide_high(row.now));
}

// What has been earned since the last decision, where it is earned over time; what a count was then.
struct Earned {
    sum: Time,
    count: u32,
}

fn earned_at(number: u32) -> Earned {
    let row = copy_state[copy_row(2u + number)];
    return Earned(wide(row.x, row.y), row.z);
}

fn set_earned(number: u32, row: Earned) {
    copy_state[copy_row(2u + number)] = vec4<u32>(wide_low(row.sum), wide_high(row.sum), row.count, 0u);
}
