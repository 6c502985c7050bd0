// multiclass/statistics/histograms: distributions of waiting and system times, of the number present and of times in the network, and these times
// beside targets: the twin of src/queueing/reference/histograms.rs. In `histograms` lie rows of two numbers, each of all replications one
// behind the other:
//
//   of each observed station, and behind them of each of its classes: the time up to which it is counted; then tokens present
//   of each class at each of them: by bins, services by waiting time, and visits by system time
//   of each class at each sink: by bins, tokens
//   where tokens are blocked or joined, of each class at each observed station: by bins, services by how long their tokens were
//   blocked then, and tokens by how long they waited for their siblings
//   where there are targets, of each class at each observed station and then at each sink: see targets
//   where longest times are asked for, of each class at each observed station that of its waits, and that of its visits; and then of each class
//   at each sink that of times in the network, and a row that stays 0
//   for each number of tokens: how long there were so many at each station and of each class
//
// Reads: parameters, model_table. Reads and writes: histograms, of this thread's replication only.

import package::lib::scale::{scale_bin};
import package::lib::time::{Time};
import package::lib::wide::{wide_maximum};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::state::{mine};
import package::multiclass::statistics::targets::{count_target, histogram_at, histograms, observed_station};
import word64::{Wide, wide, wide_add, wide_high, wide_less, wide_low, wide_sub};

// Brings the times of a record up to now, and changes its number present.
fn passes(record: u32, change: u32) {
    let head = histogram_at(2u * record);
    let count = histogram_at(2u * record + 1u);
    let present = histograms[count].x;
    let since = wide_maximum(wide(histograms[head].x, histograms[head].y), plan.warmup);
    if (wide_less(since, mine.now)) {
        let level = histogram_at(plan.histogram_levels + present * plan.histogram_records + record);
        let times = wide_add(wide(histograms[level].x, histograms[level].y), wide_sub(mine.now, since));
        histograms[level] = vec2<u32>(wide_low(times), wide_high(times));
        histograms[head] = vec2<u32>(wide_low(mine.now), wide_high(mine.now));
    }
    histograms[count] = vec2<u32>(present + change, 0u);
}

fn sees_present(class_of: u32, change: u32) {
    let station = observed_station();
    if (station.number == NONE) { return; }
    passes(station.number, change);
    // A token of the only class counts for the station alone.
    if (plan.histogram_classes != 0u) { passes(plan.histogram_stations + station.number * plan.classes + class_of, change); }
}

fn bin_at(place: u32, time: Wide) -> u32 {
    return histogram_at(plan.histogram_bins + place * plan.bins + scale_bin(time, plan.shift, plan.bins));
}

// Counts a time at one of the places of each class at stations and sinks.
fn count_time(place: u32, time: Wide, one: vec2<u32>) {
    let bin = bin_at(place, time);
    histograms[bin] += one;
    if (plan.targets != 0u) { count_target(place, time, one); }
    if (plan.histogram_longest != 0u) {
        let longest = histogram_at(plan.histogram_longest + 2u * place + one.y);
        if (wide_less(wide(histograms[longest].x, histograms[longest].y), time)) {
            histograms[longest] = vec2<u32>(wide_low(time), wide_high(time));
        }
    }
}

fn record_time(class_of: u32, time: Wide, one: vec2<u32>) {
    count_time(observed_station().number * plan.classes + class_of, time, one);
}

fn sees_start(class_of: u32, arrived: Time, service: Time) {
    let station = observed_station();
    if (station.number == NONE || station.at_end != 0u || mine.counted == 0u) { return; }
    let waited = wide_sub(mine.now, arrived);
    record_time(class_of, waited, vec2<u32>(1u, 0u));
    if (station.at_leave == 0u) { record_time(class_of, wide_add(waited, service), vec2<u32>(0u, 1u)); }
}

fn sees_end(class_of: u32, arrived: Time, taken: Time) {
    let station = observed_station();
    if (station.number == NONE || station.at_end == 0u || mine.counted == 0u) { return; }
    record_time(class_of, wide_sub(wide_sub(mine.now, arrived), taken), vec2<u32>(1u, 0u));
}

fn sees_leave(class_of: u32, arrived: Time) {
    let station = observed_station();
    if (station.number == NONE || station.at_leave == 0u || mine.counted == 0u) { return; }
    record_time(class_of, wide_sub(mine.now, arrived), vec2<u32>(0u, 1u));
}

fn held_bin(number: u32, class_of: u32, time: Time) -> u32 { return bin_at(plan.histogram_held + number * plan.classes + class_of, time); }

fn sees_blocked(class_of: u32, time: Time) {
    let station = observed_station();
    if (station.number == NONE || station.blocks == 0u || mine.counted == 0u) { return; }
    let bin = held_bin(station.number, class_of, time);
    histograms[bin] += vec2<u32>(1u, 0u);
}

fn sees_joined(class_of: u32, time: Time) {
    let station = observed_station();
    if (station.number == NONE || mine.counted == 0u) { return; }
    let bin = held_bin(station.number, class_of, time);
    histograms[bin] += vec2<u32>(0u, 1u);
}

fn sees_stay(sink: u32, class_of: u32, stay: Wide) {
    count_time((plan.histogram_stations + sink) * plan.classes + class_of, stay, vec2<u32>(1u, 0u));
}
