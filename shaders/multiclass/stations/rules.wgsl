// multiclass/stations/rules: what the model table says of stations, of classes at stations, and of the tokens of time 0.
// Reads: parameters, model_table.

import package::multiclass::parameters::{plan, model_row};
import word64::{Wide, wide};

// Whose services a token may interrupt.
const OF_LOWER: u32 = 1u;
const OF_ALL: u32 = 2u;

struct StationRules {
    servers: u32,       // NONE where every token is served at once
    capacity: u32,
    order: u32,
    preemption: u32,
}

fn station_rules(id: u32) -> StationRules {
    let row = model_row(2u * id);
    return StationRules(row.x, row.y, row.z, row.w);
}

// Tokens that leave without a service: first row and number of the probabilities of balking; where tokens go that balk or renege.
struct Impatience {
    first: u32,
    count: u32,
    balks_to: u32,
    reneges_to: u32,
}

fn impatience_of(id: u32) -> Impatience {
    let row = model_row(2u * id + 1u);
    return Impatience(row.x, row.y, row.z, row.w);
}

// Where tokens go that find no room, or NONE, and whether patience may end amid a service: a row for each station in front of the shares of balking.
struct Overflow {
    goal: u32,
    runs_on: u32,
}

fn overflow_of(id: u32) -> Overflow {
    let row = model_row(plan.balking - plan.stations + id);
    return Overflow(row.x, row.y);
}

// How many of the 2^32 draws balk.
struct BalkingShare { draws: Wide }

fn balking_share(number: u32) -> Wide {
    let row = model_row(plan.balking + number);
    return BalkingShare(wide(row.x, row.y)).draws;
}

// A class at a station: its edges, its law of services, and its law of patience or NONE.
struct Visit {
    first: u32,
    last: u32,
    service: u32,
    patience: u32,
}

fn visit_of(id: u32, class_of: u32) -> Visit {
    let row = model_row(plan.visits + id * plan.classes + class_of);
    return Visit(row.x, row.y, row.z, row.w);
}

// The priority of a class, numbered from 0 on.
struct Priority { level: u32 }

fn level_of(class_of: u32) -> u32 {
    let row = model_row(plan.levels + class_of);
    return Priority(row.x).level;
}

// Tokens at time 0.
struct FirstTokens {
    station: u32,
    class_of: u32,
    count: u32,
}

fn first_tokens_at(number: u32) -> FirstTokens {
    let row = model_row(plan.initials + number);
    return FirstTokens(row.x, row.y, row.z);
}
