// multiclass/batches: sources send several tokens at a time.
// Reads: parameters, structure, held.

import intervals::{tokens_of_next};
import package::lib::pcg32::{Stream, draw};
import package::multiclass::parameters::{plan, structure};
import package::multiclass::sources::{send_one};
import package::multiclass::state::{mine};
import package::multiclass::tokens::{has_place};
import word64::{Wide, wide, wide_high, wide_less, wide_low, wide_sub};

// The tokens of a batch that are still to come, and whose they are.
var<private> batch_left: u32;
var<private> batch_source: u32;

// Whether there is room for what the event in a place brings: a batch comes as a whole, of whatever size.
fn has_room(place: u32) -> bool {
    if (place >= plan.sources) { return has_place(); }
    return plan.places - mine.present >= max(structure[plan.batches + place].z, 1u);
}

// How many tokens a source sends at a time, that has sent so many of its limit.
fn draw_batch(source: u32, sent: u32, limit: Wide, stream: ptr<function, Stream>) -> u32 {
    let row = structure[plan.batches + source];
    if (row.z == 0u) { return 1u; }
    var size = 1u;
    if (row.y == 0u) {
        size = tokens_of_next(source);
    } else {
        let place = wide(draw(stream), 0u);
        loop {
            let largest = structure[row.x + size - 1u];
            if (wide_less(place, wide(largest.x, largest.y)) || size == row.y) { break; }
            size += 1u;
        }
    }
    let left = wide_sub(limit, wide(sent, 0u));
    if (wide_high(left) == 0u) { size = min(size, wide_low(left)); }
    batch_left = size - 1u;
    batch_source = source;
    // Who balks is on its way until all have come.
    if (size > 1u) { mine.alone = false; }
    return size;
}

// The next token of the batch comes, where there is one.
fn next_of_batch() -> bool {
    if (batch_left == 0u) { return false; }
    batch_left -= 1u;
    send_one(batch_source);
    return true;
}
