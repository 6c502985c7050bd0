// multiclass/blocking/rules: what the model table says of stations that block.
// Reads: parameters, model_table.

import package::multiclass::parameters::{plan, model_row};

// Bits of whether a station blocks tokens that have no room, 1, tokens exchange there (exchanges), 2, and services stop before it
// (stops), 4; what else makes it go on (deadlock); the servers that it may have; what becomes of a token served again (repeats).
struct Blocking {
    kinds: u32,
    goes_on: u32,
    most_servers: u32,
    repetition: u32,
}

fn blocking_of(id: u32) -> Blocking {
    let row = model_row(plan.blocking + id);
    return Blocking(row.x, row.y, row.z, row.w);
}
