// cells/fire_paces_stored: the ellipses of all cells under all rows of the weather, which the host has made.

import package::cells::fire_land::{fire};

// For every row of the weather and every cell: a, -1 where no fire crosses it; b toward east and toward south; its slope, and in the
// lowest four bits the corners over which no fire comes or goes.
var<storage, read> fire_paces: array<vec4<i32>>;

// The ellipse of a cell under a row.
fn fire_ellipse(row: u32, cell: u32) -> vec4<i32> { return fire_paces[row * fire.cells + cell]; }
