// multiclass/sources: tokens come into the network, those of time 0 before all others.
// Reads and writes: held.

import package::lib::pcg32::{Stream};
import package::lib::service::{service_time};
import package::lib::stream::{entity_increment};
import package::lib::time::{never};
import package::multiclass::accounts::{count_two};
import package::multiclass::parameters::{law_at, parameters, structure};
import package::multiclass::state::{came, mine, pair_at, set_wide, wide_at};
import package::multiclass::tokens::{new_token};
import package::multiclass::visits::{comer, comes_to};
import word64::{wide, wide_add, wide_less};

// A source sends a token and draws when the next one comes.
fn send(source: u32) {
    let row = structure[parameters.inflows + 2u * source];
    let limit = structure[parameters.inflows + 2u * source + 1u];
    let words = parameters.sources_at + 2u * source;
    let sent = pair_at(words + 1u).x + 1u;
    count_two(words + 1u, 1u, mine.counted);
    comer = new_token(row.y, mine.now);
    comes_to = row.z;
    came(1u);
    var next = never();
    if (wide_less(wide(sent, 0u), wide(limit.x, limit.y))) {
        var stream = Stream(wide_at(words), entity_increment(mine.key, parameters.stations + source));
        next = wide_add(mine.now, service_time(law_at(row.x), &stream));
        set_wide(words, stream.state);
    }
    set_wide(parameters.times_at + source, next);
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
