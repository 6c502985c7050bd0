// multiclass/statistics/series: how many tokens of each class there are over a regular grid of time: the twin of
// src/queueing/reference/oracle/series.rs. In `noted` is first the number of grid times up to the present time, of each replication;
// then, for each class in the network, then at each station, then in service at each station, by how much its number at each grid time
// differs from the number at the grid time before, of each replication. The host adds them up.
//
// Reads: parameters. Reads and writes: noted, of this thread's replication only.

import package::lib::time::{Time};
import package::multiclass::parameters::{plan};
import package::multiclass::rows::{copy_number};
import package::multiclass::state::{mine};
import package::multiclass::stations::station::{site};
import word64::{wide, wide_add, wide_high, wide_less, wide_low, wide_multiply};

var<storage, read_write> noted: array<u32>;
// The first time of the grid at which a change of now shows, and when that is.
var<private> grid: u32;
var<private> grid_at: Time;

fn open_series() {
    grid = noted[copy_number];
    grid_at = wide_multiply(wide(grid, 0u), plan.step);
}

fn close_series() { noted[copy_number] = grid; }

// Tokens of time 0 are there at the first time of the grid; other changes show at the next one.
fn moves_on() {
    if ((wide_low(mine.now) | wide_high(mine.now)) == 0u) { return; }
    while (grid < plan.times && !wide_less(mine.now, grid_at)) {
        grid += 1u;
        grid_at = wide_add(grid_at, plan.step);
    }
}

fn note(column: u32, change: u32) {
    if (grid < plan.times) { noted[plan.replications * (1u + column * plan.times + grid) + copy_number] += change; }
}

fn notes_in_network(class_of: u32, change: u32) { note(class_of, change); }
fn notes_at_station(class_of: u32, change: u32) { note((site.id + 1u) * plan.classes + class_of, change); }
fn notes_served(class_of: u32, change: u32) { note((plan.stations + site.id + 1u) * plan.classes + class_of, change); }
