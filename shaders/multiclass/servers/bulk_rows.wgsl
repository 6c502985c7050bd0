// multiclass/servers/bulk_rows: what the model table says of servers that serve several tokens at once.
// Reads: model_table.

import package::multiclass::parameters::{model_row};
import word64::{Wide, wide};

// The row of a group: the most and the least tokens of a batch; how many factors by its size there are, which lie behind the longest wait.
struct Bulk {
    most: u32,
    least: u32,
    factors: u32,
}

fn bulk_of(row: u32) -> Bulk {
    let words = model_row(row);
    return Bulk(words.x, words.y, words.z);
}

// A token that has waited so long need not wait for others.
struct BulkWait { wait: Wide }

fn longest_wait(row: u32) -> Wide {
    let words = model_row(row + 1u);
    return BulkWait(wide(words.x, words.y)).wait;
}

// By what the time of a batch of this size is multiplied, in units of 2^-20.
struct BulkFactor { factor: u32 }

fn bulk_factor(row: u32, number: u32) -> u32 {
    let words = model_row(row + 2u + number);
    return BulkFactor(words.x).factor;
}
