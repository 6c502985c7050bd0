// multiclass/sources/batches: sources send several tokens at a time.
// Reads: parameters, model_table, replication_state.

import package::lib::pcg32::{Stream};
import package::multiclass::parameters::{plan};
import package::multiclass::places::{has_place, list_end_count};
import package::multiclass::sources::batch_sizes::{size_of_batch};
import package::multiclass::sources::intervals::{batches_of};
import package::multiclass::sources::sources::{send_one};
import package::multiclass::state::{mine};
import word64::{Wide, wide};

// The tokens of a batch that are still to come, and their source.
var<private> batch_left: u32;
var<private> batch_source: u32;

// Whether there is room for the tokens of the event in a place: a batch comes as a whole, of whatever size.
fn has_room(place: u32) -> bool {
    if (place >= plan.sources) { return has_place(); }
    return plan.places - list_end_count() - mine.present >= max(batches_of(place).largest, 1u);
}

// How many tokens a source sends at a time, which has sent `sent` of its limit.
fn draw_batch(source: u32, sent: u32, limit: Wide, stream: ptr<function, Stream>) -> u32 {
    let size = size_of_batch(source, wide(sent, 0u), limit, stream);
    batch_left = size - 1u;
    batch_source = source;
    // Tokens that balk are on their way until the whole batch has come.
    if (size > 1u) { mine.alone = false; }
    return size;
}

// The tokens of the batch behind the present one.
fn batch_behind() -> u32 { return batch_left; }

// The next token of the batch comes, where there is one.
fn next_of_batch() -> bool {
    if (batch_left == 0u) { return false; }
    batch_left -= 1u;
    send_one(batch_source);
    return true;
}
