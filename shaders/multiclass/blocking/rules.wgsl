// multiclass/blocking/rules: what the model table says of stations that block.
// Reads: parameters, model_table.

import package::multiclass::parameters::{plan, model_row};

// Bits: 1 where a station blocks tokens without room, 2 where tokens exchange there (exchanges), 4 where services stop before it
// (stops); what else makes the station go on (deadlock); the most servers that it may have; what happens to a token served again
// (repeats).
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
