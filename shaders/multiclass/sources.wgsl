// multiclass/sources: tokens come into the network, those of time 0 before all others.
// Reads and writes: held.

import batches::{draw_batch};
import intervals::{next_arrival};
import package::lib::pcg32::{Stream};
import package::lib::stream::{entity_increment};
import package::lib::time::{never};
import package::multiclass::accounts::{count_two};
import package::multiclass::parameters::{parameters, structure};
import package::multiclass::state::{came, happened, mine, pair_at, set_wide, wide_at};
import package::multiclass::tokens::{new_token};
import package::multiclass::visits::{comer, comes_to};
import word64::{wide, wide_less};

// A source sends tokens, of which the first comes now, and draws when the next ones come.
fn send(source: u32) {
    let row = structure[parameters.inflows + 2u * source];
    let more = structure[parameters.inflows + 2u * source + 1u];
    let limit = wide(more.x, more.y);
    let words = parameters.sources_at + parameters.source_words * source;
    var stream = Stream(wide_at(words), entity_increment(mine.key, parameters.stations + source));
    let before = pair_at(words + 1u).x;
    let size = draw_batch(source, before, limit, &stream);
    count_two(words + 1u, size, size * mine.counted);
    happened += size;
    var next = never();
    if (wide_less(wide(before + size, 0u), limit)) {
        next = next_arrival(source, row.x, mine.now, &stream);
        set_wide(words, stream.state);
    }
    set_wide(parameters.times_at + source, next);
    send_one(source);
}

fn send_one(source: u32) {
    let row = structure[parameters.inflows + 2u * source];
    comer = new_token(row.y, mine.now);
    comes_to = row.z;
    came(1u);
}

// The next token of time 0.
fn place_first() {
    let row = structure[parameters.initials + mine.initial];
    comer = new_token(row.y, never());
    comes_to = row.x;
    mine.placed += 1u;
    if (mine.placed < row.z) { return; }
    mine.placed = 0u;
    mine.initial += 1u;
    if (mine.initial == parameters.initial_rows) { set_wide(parameters.times_at + parameters.sources, never()); }
}
