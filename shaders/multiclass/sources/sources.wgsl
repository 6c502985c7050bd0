// multiclass/sources/sources: tokens come into the network, the tokens of time 0 before all others. A source has in its
// first row the state and the increment of its stream, then the row below.
// Reads and writes: replication_state.

import attributes::{gets_values, values_of_next};
import batches::{draw_batch};
import goals::{goal_of_next};
import intervals::{brings_tokens, class_of_next, next_arrival};
import package::lib::pcg32::{Stream};
import package::lib::time::{never};
import package::multiclass::near::{as_near};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::pending::{ARRIVAL, set_event, set_event_time};
import package::multiclass::places::{new_token};
import package::multiclass::routes::moves::{comer, comes_to, moves_about, moves_entered};
import package::multiclass::rows::{row_at, row_of, set_row, source_at, station_at};
import package::multiclass::sources::rules::{inflow_limit_of, inflow_of};
import package::multiclass::state::{came, happened, mine};
import package::multiclass::stations::rules::{first_tokens_at};
import package::multiclass::statistics::account_rows::{count_two};
import series::{notes_in_network};
import word64::{wide, wide_less};

// Tokens that a source has sent, and the counted tokens among them.
struct Sent {
    all: u32,
    counted: u32,
}

fn sent_by(source: u32) -> Sent {
    let row = row_at(source_at(source) + 1u);
    return Sent(row.x, row.y);
}

// The class of the tokens that a source sends, and the row of what they carry by its trace.
var<private> sends: u32;
var<private> sends_values: u32;

// A source sends tokens, of which the first comes now, or none, and draws when its next event is.
fn send(source: u32) {
    let inflow = inflow_of(source);
    let limit = inflow_limit_of(source).limit;
    let words = source_at(source);
    let about = row_at(words);
    var stream = Stream(wide(about.x, about.y), wide(about.z, about.w));
    let before = sent_by(source).all;
    var size = 0u;
    if (brings_tokens(source)) {
        sends = class_of_next(source, inflow.class_of);
        sends_values = values_of_next(source);
        size = draw_batch(source, before, limit, &stream);
        count_two(words + 1u, 0u, size, size * mine.counted);
    }
    happened += max(size, 1u);
    var next = never();
    if (wide_less(wide(before + size, 0u), limit)) {
        next = next_arrival(source, inflow.law, mine.now, &stream);
    }
    set_row(words, row_of(stream.state, stream.increment));
    set_event(source, ARRIVAL | (plan.stations + source), NONE, next);
    if (size != 0u) { send_one(source); }
}

fn send_one(source: u32) {
    comer = new_token();
    comes_to = goal_of_next(source, sends);
    gets_values(comer, source_at(source), sends, sends_values);
    moves_about = sends;
    moves_entered = mine.now;
    came(1u, sends);
}

// The next token of time 0.
fn place_first() {
    let first = first_tokens_at(mine.initial);
    comer = new_token();
    comes_to = first.station;
    gets_values(comer, as_near(station_at(first.station)), first.class_of, NONE);
    moves_about = first.class_of;
    moves_entered = never();
    notes_in_network(first.class_of, 1u);
    mine.placed += 1u;
    if (mine.placed < first.count) { return; }
    mine.placed = 0u;
    mine.initial += 1u;
    if (mine.initial == plan.initial_rows) { set_event_time(plan.sources, never()); }
}
