// multiclass/forks/rules: what the model table says of tokens that split, and of those that stand aside until others have come.
// Reads: parameters, model_table.

import package::multiclass::parameters::{plan, model_row};
import word64::{Wide, wide};

// Of a station: 1 where siblings wait for each other; first row and number of the parts of its kit.
struct Joining {
    joins: u32,
    first: u32,
    parts: u32,
}

fn joining_of(id: u32) -> Joining {
    let row = model_row(plan.joining + 2u * id);
    return Joining(row.x, row.y, row.z);
}

// 1 where a copy of a token takes each route; first row and number of the shares of 1, 2, ... tokens that take its way; 1 where some station
// joins copies.
struct Splitting {
    by_routes: u32,
    first: u32,
    sizes: u32,
    is_joined: u32,
}

fn splitting_of(id: u32) -> Splitting {
    let row = model_row(plan.joining + 2u * id + 1u);
    return Splitting(row.x, row.y, row.z, row.w);
}

// The draws below which so many tokens leave, or fewer.
struct SplitShare { draws: Wide }

fn split_share(number: u32) -> Wide {
    let row = model_row(number);
    return SplitShare(wide(row.x, row.y)).draws;
}
