// multiclass/resources/rules: what the model table says of resources and the stations that need them.
// Reads: parameters, model_table.

import package::multiclass::parameters::{plan, model_row};

// Of a station that seizes with servers: an interrupted token keeps its units; it gives back what the station seizes; the first token that waits
// may interrupt a service.
const KEEPS: u32 = 1u;
const LOSES: u32 = 2u;
const PUSHES: u32 = 4u;

// First row and number of the needs of a station; 1 where tokens seize before the line; the flags above.
struct Seizing {
    first: u32,
    count: u32,
    is_early: u32,
    about: u32,
}

fn seizing_of(id: u32) -> Seizing {
    let row = model_row(plan.units + 2u * id);
    return Seizing(row.x, row.y, row.z, row.w);
}

// First row and number of the units a station gives back; what else makes it go on (units_stuck), and the most servers it may
// have.
struct Releasing {
    first: u32,
    count: u32,
    goes_on: u32,
    most_servers: u32,
}

fn releasing_of(id: u32) -> Releasing {
    let row = model_row(plan.units + 2u * id + 1u);
    return Releasing(row.x, row.y, row.z, row.w);
}

// Units of a resource; the number of the alternative to which they belong; 1 where they are of a stock, used up or brought.
struct Need {
    kind: u32,
    units: u32,
    alternative: u32,
    is_stock: u32,
}

fn need_at(number: u32) -> Need {
    let row = model_row(number);
    return Need(row.x, row.y, row.z, row.w);
}

// How many units of a resource there are at most, and at time 0; 1 where tokens bring some; 1 where they may be taken from tokens.
struct AllUnits {
    units: u32,
    stock: u32,
    is_delivered: u32,
    is_preemptive: u32,
}

fn all_units_of(kind: u32) -> AllUnits {
    let row = model_row(plan.units_of + kind);
    return AllUnits(row.x, row.y, row.z, row.w);
}

// A station that seizes, by its number among such stations.
struct SeizingStation { station: u32 }

fn seizing_station(number: u32) -> u32 {
    let row = model_row(plan.seizing + number);
    return SeizingStation(row.x).station;
}
