// multiclass/sources/intervals: what the model table says of the intervals and batches of sources, also in rounds.
// Reads: model_table.

import package::lib::time::{Time};
import source_words::{batches_row, intervals_row, row_numbered};
import word64::{Wide, wide};

// First row and number of the probabilities of batches, 0 rows where the size is always the same or a trace has it; the largest batch, or
// 0 where tokens come one by one.
struct Batches {
    first: u32,
    count: u32,
    largest: u32,
}

fn batches_of(source: u32) -> Batches {
    let row = row_numbered(batches_row(source));
    return Batches(row.x, row.y, row.z);
}

// How many of the 2^32 draws give at most so many tokens.
struct BatchShare { draws: Wide }

fn batch_share(number: u32) -> Wide {
    let row = row_numbered(number);
    return BatchShare(wide(row.x, row.y)).draws;
}

// How tokens come (intervals_varied): first row and number of the steps, phases or rows of a trace.
struct Intervals {
    first: u32,
    count: u32,
    kind: u32,
}

fn intervals_of(source: u32) -> Intervals {
    let row = row_numbered(intervals_row(source));
    return Intervals(row.x, row.y, row.z);
}

// The period of a rate: its length, and the tokens expected in a period, in units of 2^-32; or 0 and 0.
struct Period {
    length: Time,
    tokens: Wide,
}

fn period_of(source: u32) -> Period {
    let row = row_numbered(intervals_row(source) + 1u);
    return Period(wide(row.x, row.y), wide(row.z, row.w));
}

// A step of a rate, two rows: when it begins, and how many tokens are expected before it; the mean interval, or 0.
struct Step {
    start: Time,
    before: Wide,
}

fn step_at(number: u32) -> Step {
    let row = row_numbered(number);
    return Step(wide(row.x, row.y), wide(row.z, row.w));
}

struct StepInterval { mean: Wide }

fn step_interval(number: u32) -> Wide {
    let row = row_numbered(number + 1u);
    return StepInterval(wide(row.x, row.y)).mean;
}

// How many of the 2^32 draws begin in a phase or in an earlier one.
struct PhaseShare { draws: Wide }

// The mean stay in a phase, and the first row of its changes.
struct Phase {
    mean: Wide,
    changes: u32,
}

fn phase_at(number: u32) -> Phase {
    let row = row_numbered(number);
    return Phase(wide(row.x, row.y), row.z);
}

// How many of the 2^32 draws are a change of phase or an earlier one, the phase behind it, and whether it brings
// tokens.
struct PhaseChange {
    draws: Wide,
    phase: u32,
    brings: u32,
}

fn phase_change_at(number: u32) -> PhaseChange {
    let row = row_numbered(number);
    return PhaseChange(wide(row.x, row.y), row.z, row.w);
}

// Both begin with the draws.
fn share_of(number: u32) -> Wide {
    let row = row_numbered(number);
    return PhaseShare(wide(row.x, row.y)).draws;
}

// Tokens of a trace that come together.
struct Coming {
    after: Time,
    class_of: u32,
    tokens: u32,
}

fn coming_at(number: u32) -> Coming {
    let row = row_numbered(number);
    return Coming(wide(row.x, row.y), row.z, row.w);
}
