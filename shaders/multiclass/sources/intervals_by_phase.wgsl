// multiclass/sources/intervals_by_phase: a source is in phases, whose changes may bring tokens: the twin of Chain in
// src/queueing/multiclass/phases.rs. Of such a source word 4 has the phase behind the next change, counted from 1 on, and whether that
// change brings tokens; 0 before the first one is drawn.

import package::lib::pcg32::{Stream, draw};
import package::lib::service::{exponential};
import package::lib::time::{Time};
import package::multiclass::sources::intensity::{bounded_part, bounded_sum};
import source_words::{first_pair, row_numbered, set_first_pair};
import word64::{wide, wide_less};

// The first row from one on whose end a draw is below: the last one has 2^32.
fn row_below(first: u32, place: u32) -> u32 {
    var row = first;
    while (!is_below(place, row_numbered(row))) { row += 1u; }
    return row;
}

fn is_below(place: u32, end: vec4<u32>) -> bool { return wide_less(wide(place, 0u), wide(end.x, end.y)); }

// When the phase of a source changes, behind the change of that time.
fn next_change(source: u32, row: vec4<u32>, since: Time, stream: ptr<function, Stream>) -> Time {
    var phase = first_pair(source).x;
    if (phase == 0u) { phase = 1u + row_below(row.x, draw(stream)) - row.x; }
    let stay = row_numbered(row.x + row.y + phase - 1u);
    let lasts = bounded_part(exponential(draw(stream)), wide(stay.x, stay.y));
    let change = row_numbered(row_below(stay.z, draw(stream)));
    set_first_pair(source, 1u + change.z, change.w);
    return bounded_sum(since, lasts);
}

fn brings(source: u32) -> bool { return first_pair(source).y != 0u; }
