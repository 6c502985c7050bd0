// multiclass/statistics/targets_alone: times beside targets, without distributions: see targets, and histograms for what is called when.
//
// Reads: parameters, model_table. Reads and writes: histograms, of this thread's replication only.

import package::lib::time::{Time};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::state::{mine};
import package::multiclass::statistics::targets::{count_target, observed_station};
import word64::{Wide, wide_add, wide_sub};

fn sees_present(class_of: u32, change: u32) {}

fn sees_start(class_of: u32, arrived: Time, service: Time) {
    if (mine.counted == 0u) { return; }
    let station = observed_station();
    if (station.number == NONE || station.at_end != 0u) { return; }
    let place = station.number * plan.classes + class_of;
    let waited = wide_sub(mine.now, arrived);
    count_target(place, waited, vec2<u32>(1u, 0u));
    if (station.at_leave == 0u) { count_target(place, wide_add(waited, service), vec2<u32>(0u, 1u)); }
}

fn sees_end(class_of: u32, arrived: Time, taken: Time) {
    let station = observed_station();
    if (station.number == NONE || station.at_end == 0u || mine.counted == 0u) { return; }
    let waited = wide_sub(wide_sub(mine.now, arrived), taken);
    count_target(station.number * plan.classes + class_of, waited, vec2<u32>(1u, 0u));
}

fn sees_leave(class_of: u32, arrived: Time) {
    let station = observed_station();
    if (station.number == NONE || station.at_leave == 0u || mine.counted == 0u) { return; }
    count_target(station.number * plan.classes + class_of, wide_sub(mine.now, arrived), vec2<u32>(0u, 1u));
}

fn sees_blocked(class_of: u32, time: Time) {}
fn sees_joined(class_of: u32, time: Time) {}

fn sees_stay(sink: u32, class_of: u32, stay: Wide) {
    count_target((plan.histogram_stations + sink) * plan.classes + class_of, stay, vec2<u32>(1u, 0u));
}
