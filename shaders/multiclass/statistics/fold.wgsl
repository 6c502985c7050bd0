// multiclass/statistics/fold: what happens in each bin of a period, in all periods together: see src/queueing/model/fold.rs. `folded` has
// a row for each replication: when its present bin begins, and the number of this bin from time 0 on through all periods. Behind it are records
// of four rows, each of all replications. Every class at every station has an open record, and then every resource: OpenRow of the number
// present, or of units held; of the number in service; of starts; of arrivals. Behind all open records each of these has a record for each
// bin: BinRow of the same.
//
// A change of a level counts in the bin in which it happens: the sum has what it adds to the time integral of this bin, the count by how much
// the level changes, and `periods` that times the number of periods before. From these the host knows the integral of every bin. Of starts
// the sum is of waiting times; of arrivals its lower half counts tokens that came, the upper one those that were not served.
//
// An open row has what happened in one bin. It is added to the row of this bin when something happens in a later one. The rows of bins are too
// many to lie in a cache, and this way they are fetched seldom. Afterwards the host adds what is still open.
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

struct OpenRow {
    sum: Wide,
    count: u32,
    bin: u32,
}

struct BinRow {
    sum: Wide,
    count: u32,
    periods: u32,
}

const LEVEL: u32 = 0u;
const SERVED: u32 = 1u;
const STARTS: u32 = 2u;
const ARRIVALS: u32 = 3u;

var<storage, read_write> folded: array<vec4<u32>>;
var<private> present_bin: u32;
var<private> bin_begin: Time;

fn folded_at(record: u32, row: u32) -> u32 { return plan.replications + 4u * (record * plan.replications + copy_number) + row; }
fn class_number(class_of: u32) -> u32 { return site.id * plan.classes + class_of; }
fn resource_number(kind: u32) -> u32 { return plan.stations * plan.classes + kind; }

fn open_fold() {
    let row = folded[copy_number];
    bin_begin = wide(row.x, row.y);
    present_bin = row.z;
}

fn close_fold() { folded[copy_number] = vec4<u32>(wide_low(bin_begin), wide_high(bin_begin), present_bin, 0u); }

// The warm-up counts as its end.
fn counted_now() -> Time { return wide_maximum(mine.now, plan.warmup); }
fn bin_end() -> Time { return wide_add(bin_begin, plan.fold_step); }

fn moves_to_bin() {
    while (!wide_less(counted_now(), bin_end())) {
        bin_begin = bin_end();
        present_bin += 1u;
    }
}

fn open_row_at(place: u32) -> OpenRow {
    let row = folded[place];
    return OpenRow(wide(row.x, row.y), row.z, row.w);
}

fn set_open_row(place: u32, row: OpenRow) { folded[place] = vec4<u32>(wide_low(row.sum), wide_high(row.sum), row.count, row.bin); }

fn bin_row_at(place: u32) -> BinRow {
    let row = folded[place];
    return BinRow(wide(row.x, row.y), row.z, row.w);
}

fn set_bin_row(place: u32, row: BinRow) { folded[place] = vec4<u32>(wide_low(row.sum), wide_high(row.sum), row.count, row.periods); }

// What was open goes to its bin.
fn goes_to_bin(what: u32, row: u32, open: OpenRow) {
    let periods = open.bin / plan.fold_bins;
    let bin = open.bin - periods * plan.fold_bins;
    let place = folded_at(resource_number(plan.resources) + what * plan.fold_bins + bin, row);
    let before = bin_row_at(place);
    set_bin_row(place, BinRow(wide_add(before.sum, open.sum), before.count + open.count, before.periods + open.count * periods));
}

// Adds to a row of a class at a station, or of a resource.
fn folds(what: u32, row: u32, sum: Wide, count: u32) {
    let place = folded_at(what, row);
    var open = open_row_at(place);
    if (open.bin != present_bin) {
        goes_to_bin(what, row, open);
        open = OpenRow(wide(0u, 0u), 0u, present_bin);
    }
    set_open_row(place, OpenRow(wide_add(open.sum, sum), open.count + count, present_bin));
}

fn folds_level(what: u32, row: u32, units: u32, is_more: bool) {
    var sum = wide_multiply(wide(units, 0u), wide_sub(bin_end(), counted_now()));
    if (!is_more) { sum = wide_sub(wide(0u, 0u), sum); }
    folds(what, row, sum, select(0u - units, units, is_more));
}

fn folds_served(class_of: u32, is_more: bool) {
    notes_served(class_of, select(0xffffffffu, 1u, is_more));
    folds_level(class_number(class_of), SERVED, 1u, is_more);
}

fn folds_present(class_of: u32, is_more: bool) { folds_level(class_number(class_of), LEVEL, 1u, is_more); }
fn folds_end(class_of: u32) { folds_served(class_of, false); }
fn folds_units(kind: u32, units: u32, is_more: bool) { folds_level(resource_number(kind), LEVEL, units, is_more); }

fn folds_start(class_of: u32, since: Time, starts: u32) {
    folds_served(class_of, true);
    var waited = wide(0u, 0u);
    if (!is_shared()) { waited = wide_sub(mine.now, since); }
    if (mine.counted != 0u) { folds(class_number(class_of), STARTS, waited, starts); }
}

fn folds_coming(class_of: u32, one: Wide) { if (mine.counted != 0u) { folds(class_number(class_of), ARRIVALS, one, 0u); } }
fn folds_arrival(class_of: u32) { folds_coming(class_of, wide(1u, 0u)); }
fn folds_unserved(class_of: u32) { folds_coming(class_of, wide(0u, 1u)); }
