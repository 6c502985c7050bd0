// multiclass/sources/intervals_by_phase: a source is in phases, whose changes may bring tokens: the twin of Chain in
// src/queueing/describe/phases.rs. Word 4 of such a source has the phase behind the next change, counted from 1 on, and whether that
// change brings tokens; 0 before the first change is drawn.

import package::lib::pcg32::{Stream, draw};
import package::lib::service::{exponential};
import package::lib::time::{Time};
import package::multiclass::sources::intensity::{bounded_part, bounded_sum};
import package::multiclass::sources::intervals::{Intervals, phase_at, phase_change_at, share_of};
import source_words::{first_pair, set_first_pair};
import word64::{wide, wide_less};

// The first row from `first` on whose end is above a draw; the last row ends at 2^32.
fn row_below(first: u32, place: u32) -> u32 {
    var row = first;
    while (!wide_less(wide(place, 0u), share_of(row))) { row += 1u; }
    return row;
}

fn phase_behind(source: u32) -> u32 { return first_pair(source).x; }
fn brings(source: u32) -> bool { return first_pair(source).y != 0u; }

// When the phase of a source changes, behind the change of that time.
fn next_change(source: u32, phases: Intervals, since: Time, stream: ptr<function, Stream>) -> Time {
    var phase = phase_behind(source);
    if (phase == 0u) { phase = 1u + row_below(phases.first, draw(stream)) - phases.first; }
    let stay = phase_at(phases.first + phases.count + phase - 1u);
    let lasts = bounded_part(exponential(draw(stream)), stay.mean);
    let change = phase_change_at(row_below(stay.changes, draw(stream)));
    set_first_pair(source, 1u + change.phase, change.brings);
    return bounded_sum(since, lasts);
}
