// cells/fire_land: the landscape and the weather on a device. Twin of src/fire/model.rs.

import package::cells::space::{replication};
import package::lib::time::{Time};
import word64::{wide, wide_less};

struct Fire {
    cells: u32,
    rows: u32,
    // 1 where every replication has one row of the weather throughout.
    drawn: u32,
    first: u32,        // of the replications that run
    kinds: u32,        // of fuel, where cells/fire_paces_made makes ellipses
    quickest: u32,     // a lower bound on the units that a front takes through a cell, under any row
    width: u32,        // columns of the landscape
    unused: u32,       // uniforms are made of 16 bytes
}

// For every row of the weather and every cell, the delays from its eight neighbours in units of 2^-20 minutes.
var<storage, read> fire_delays: array<u32>;
var<uniform> fire: Fire;
// The row of every replication that runs, or when each row begins (low word, high word).
var<storage, read> fire_rows: array<u32>;
// For fronts: four ways an edge; each way has its number and the cells that it crosses, each in eight bits, its length with its corners,
// and its extent. Behind the ways lie their directions, the stretches of slopes, and the tables from which cells/fire_paces_made makes
// ellipses.
var<storage, read> fire_ways: array<vec4<i32>>;

const FIRE_NO_WAY: u32 = 0xffffffffu;

// The row of the weather in force at a time.
fn fire_row_at(time: Time) -> u32 {
    if (fire.drawn != 0u) { return fire_rows[replication - fire.first]; }
    // The first row begins at 0. The row in force lies in [row, end).
    var row = 0u;
    var end = fire.rows;
    while (end - row > 1u) {
        let middle = row + (end - row) / 2u;
        if (wide_less(time, fire_row_start(middle))) {
            end = middle;
        } else {
            row = middle;
        }
    }
    return row;
}

// When a row begins.
fn fire_row_start(row: u32) -> Time { return wide(fire_rows[2u * row], fire_rows[2u * row + 1u]); }
