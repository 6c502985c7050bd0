// multiclass/statistics/fold: what happens in each bin of a period, in all periods together: see src/queueing/model/fold.rs. In `folded` lie rows
// of four words, each of all replications one behind the other:
//
//   the present bin, the number of periods before it, and when it begins
//   for each class at each station, of each bin: LevelRow of the number present; LevelRow of the number in service; BinRow; ArrivalRow
//   for each resource, of each bin: LevelRow of the units held
//
// A change of a level is written into the bin in which it happens: what it adds to the time integral of this bin, by how much the level
// changes, and that times the number of periods before. From these the host knows the integral of every bin.
//
// Reads: parameters. Reads and writes: folded, of this thread's replication only.

import package::lib::time::{Time};
import package::lib::wide::{wide_maximum};
import package::multiclass::parameters::{plan};
import package::multiclass::rows::{copy_number};
import package::multiclass::state::{mine};
import package::multiclass::stations::station::{site};
import series::{notes_served};
import shares::{is_shared};
import word64::{Wide, wide, wide_add, wide_high, wide_less, wide_low, wide_multiply, wide_sub};

struct PresentBin {
    bin: u32,
    periods: u32,
    begin: Time,
}

// Of a level.
struct LevelRow {
    integral: Wide,
    change: u32,
    periods: u32,
}

struct BinRow {
    waiting: Wide,
    starts: u32,
    unserved: u32,
}

struct ArrivalRow { arrivals: u32 }

var<storage, read_write> folded: array<vec4<u32>>;
var<private> present_bin: PresentBin;

fn row_of_bin(row: u32) -> u32 { return (1u + row * plan.fold_bins + present_bin.bin) * plan.replications + copy_number; }
fn row_of_class(class_of: u32, row: u32) -> u32 { return row_of_bin(4u * (site.id * plan.classes + class_of) + row); }

fn open_fold() {
    let row = folded[copy_number];
    present_bin = PresentBin(row.x, row.y, wide(row.z, row.w));
}

fn close_fold() {
    let begin = present_bin.begin;
    folded[copy_number] = vec4<u32>(present_bin.bin, present_bin.periods, wide_low(begin), wide_high(begin));
}

// The warm-up counts as its end.
fn counted_now() -> Time { return wide_maximum(mine.now, plan.warmup); }
fn bin_end() -> Time { return wide_add(present_bin.begin, plan.fold_step); }

fn moves_to_bin() {
    while (!wide_less(counted_now(), bin_end())) {
        present_bin.begin = bin_end();
        present_bin.bin += 1u;
        if (present_bin.bin == plan.fold_bins) {
            present_bin.bin = 0u;
            present_bin.periods += 1u;
        }
    }
}

fn fold_level_at(place: u32) -> LevelRow {
    let row = folded[place];
    return LevelRow(wide(row.x, row.y), row.z, row.w);
}

fn fold_bin_at(place: u32) -> BinRow {
    let row = folded[place];
    return BinRow(wide(row.x, row.y), row.z, row.w);
}

fn fold_arrivals_at(place: u32) -> ArrivalRow {
    let row = folded[place];
    return ArrivalRow(row.x);
}

fn folds_level(place: u32, units: u32, is_more: bool) {
    var level = fold_level_at(place);
    let added = wide_multiply(wide(units, 0u), wide_sub(bin_end(), counted_now()));
    let periods = units * present_bin.periods;
    if (is_more) {
        level = LevelRow(wide_add(level.integral, added), level.change + units, level.periods + periods);
    } else {
        level = LevelRow(wide_sub(level.integral, added), level.change - units, level.periods - periods);
    }
    folded[place] = vec4<u32>(wide_low(level.integral), wide_high(level.integral), level.change, level.periods);
}

fn folds_served(class_of: u32, is_more: bool) {
    notes_served(class_of, select(0xffffffffu, 1u, is_more));
    folds_level(row_of_class(class_of, 1u), 1u, is_more);
}

fn folds_present(class_of: u32, is_more: bool) { folds_level(row_of_class(class_of, 0u), 1u, is_more); }
fn folds_end(class_of: u32) { folds_served(class_of, false); }

fn folds_units(kind: u32, units: u32, is_more: bool) { folds_level(row_of_bin(plan.folded_units + kind), units, is_more); }

fn folds_start(class_of: u32, since: Time, starts: u32) {
    folds_served(class_of, true);
    if (mine.counted == 0u) { return; }
    let place = row_of_class(class_of, 2u);
    var bin = fold_bin_at(place);
    if (!is_shared()) { bin.waiting = wide_add(bin.waiting, wide_sub(mine.now, since)); }
    folded[place] = vec4<u32>(wide_low(bin.waiting), wide_high(bin.waiting), bin.starts + starts, bin.unserved);
}

fn folds_unserved(class_of: u32) {
    let place = row_of_class(class_of, 2u);
    folded[place].w = fold_bin_at(place).unserved + mine.counted;
}

fn folds_arrival(class_of: u32) {
    let place = row_of_class(class_of, 3u);
    folded[place].x = fold_arrivals_at(place).arrivals + mine.counted;
}
