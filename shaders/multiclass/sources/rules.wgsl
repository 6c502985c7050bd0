// multiclass/sources/rules: what the model table says of sources.
// Reads: parameters, model_table.

import package::lib::time::{Time};
import package::multiclass::parameters::{plan, model_row};
import word64::{Wide, wide};

struct Inflow {
    law: u32,
    class_of: u32,
    goal: u32,
    choice: u32,    // the row of its choice among stations, or 0
}

fn inflow_of(source: u32) -> Inflow {
    let row = model_row(plan.inflows + 2u * source);
    return Inflow(row.x, row.y, row.z, row.w);
}

// How a source chooses a station (goals_chosen): as Routing says it, among `count` edges. For each class there are so many, the first class
// first.
struct Choice {
    rule: u32,
    number: u32,
    first: u32,
    count: u32,
}

fn choice_at(place: u32) -> Choice {
    let row = model_row(place);
    return Choice(row.x, row.y, row.z, row.w);
}

// How many tokens a source sends in all, and when it begins.
struct InflowLimit {
    limit: Wide,
    start: Time,
}

fn inflow_limit_of(source: u32) -> InflowLimit {
    let row = model_row(plan.inflows + 2u * source + 1u);
    return InflowLimit(wide(row.x, row.y), wide(row.z, row.w));
}
