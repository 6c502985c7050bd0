// multiclass/statistics/targets: of each class at each observed station and then at each sink, by the number of targets below a time: services by
// waiting time, and visits by system time; tokens by time in the network. The rows of `histograms` lie as the file of that name says it.
//
// Of a station the model table says its number among the observed stations, or NONE; 1 where system times are recorded as tokens go; 1 where
// waiting times are recorded as services end; 1 where tokens are blocked after their service. Behind all stations it has the targets, the
// shortest first.
//
// Reads: parameters, model_table. Reads and writes: histograms, of this thread's replication only.

import package::lib::time::{Time};
import package::multiclass::parameters::{plan, model_row};
import package::multiclass::rows::{copy_number};
import package::multiclass::stations::station::{site};
import word64::{wide, wide_less};

struct ObservedStation {
    number: u32,
    at_leave: u32,
    at_end: u32,
    blocks: u32,
}

struct Target {
    time: Time,
}

var<storage, read_write> histograms: array<vec2<u32>>;

fn histogram_at(row: u32) -> u32 { return row * plan.replications + copy_number; }

fn observed_station() -> ObservedStation {
    let row = model_row(plan.histogram_rows + site.id);
    return ObservedStation(row.x, row.y, row.z, row.w);
}

fn target_row(number: u32) -> Target {
    let row = model_row(plan.histogram_rows + plan.stations + number);
    return Target(wide(row.x, row.y));
}

// Counts a time at one of the places of each class at stations and sinks.
fn count_target(place: u32, time: Time, one: vec2<u32>) {
    var below = 0u;
    while (below < plan.targets && wide_less(target_row(below).time, time)) { below += 1u; }
    let row = histogram_at(plan.histogram_targets + place * (plan.targets + 1u) + below);
    histograms[row] += one;
}
