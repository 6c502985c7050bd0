// multiclass/sources/batch_sizes: how many tokens of a source come at a time.

import intervals::{tokens_of_next};
import package::lib::pcg32::{Stream, draw};
import package::multiclass::sources::intervals::{batch_share, batches_of};
import word64::{Wide, wide, wide_high, wide_less, wide_low, wide_sub};

// How many tokens a source sends at a time, which has sent `sent` of its limit.
fn size_of_batch(source: u32, sent: Wide, limit: Wide, stream: ptr<function, Stream>) -> u32 {
    let batches = batches_of(source);
    if (batches.largest == 0u) { return 1u; }
    var size = 1u;
    if (batches.count == 0u) {
        size = tokens_of_next(source);
    } else {
        let place = wide(draw(stream), 0u);
        loop {
            let share = batch_share(batches.first + size - 1u);
            if (wide_less(place, share) || size == batches.count) { break; }
            size += 1u;
        }
    }
    let left = wide_sub(limit, sent);
    if (wide_high(left) == 0u) { size = min(size, wide_low(left)); }
    return size;
}
