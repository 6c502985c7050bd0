// multiclass/servers/bulk_rows: what the model table says of servers that serve several tokens at once.
// Reads: model_table.

import package::multiclass::parameters::{model_row};

// The row of a group: the most and the least tokens of a batch; how many factors by its size there are, which lie behind the next row; how its server
// goes round, or 0.
struct Bulk {
    most: u32,
    least: u32,
    factors: u32,
    polling: u32,
}

fn bulk_of(first: u32) -> Bulk {
    let row = model_row(first);
    return Bulk(row.x, row.y, row.z, row.w);
}

// Whether a token that has waited long enough need not wait for others. Of a server that goes round how many it serves at a turn, or NONE; and the
// law of the time in which it makes ready for another class, or NONE. The first row of its walks (walks), or 0.
struct BulkTurns {
    has_wait: u32,
    limit: u32,
    switching: u32,
    walks: u32,
}

fn bulk_turns(first: u32) -> BulkTurns {
    let row = model_row(first + 1u);
    return BulkTurns(row.x, row.y, row.z, row.w);
}

// By what the time of a batch of this size is multiplied, in units of 2^-20.
struct BulkFactor { factor: u32 }

fn bulk_factor(first: u32, number: u32) -> u32 {
    let row = model_row(first + 2u + number);
    return BulkFactor(row.x).factor;
}
