//! The edges that lead out of the tiles of a torus, for those that reach beyond it and those that lie there as well.

use tickless::device::Device;
use tickless::kernels::Mounts;

use crate::adapter;
use crate::lab::{Bench, assert_equal, first_difference, frame, text, with_fault};

const KERNEL: &str = "
import package::queueing::torus_tiles::{BORDER, edge_at};
import constants::{WORKGROUP};

var<storage, read_write> results: array<vec4<u32>>;

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= arrayLength(&results)) { return; }
    let out = edge_at(id / BORDER, id % BORDER);
    if (out.leads) { results[id] = vec4<u32>(1u, out.other, out.place, 0u); }
}";

const WIDTH: u32 = 8;
const HEIGHT: u32 = 4;
const BORDER: u32 = 2 * (WIDTH + HEIGHT);
/// Torus after torus: whole tiles, tiles that reach beyond it, and a torus of one tile, which leads to itself.
const SIZES: [[u32; 2]; 5] = [[16, 8], [20, 9], [7, 3], [8, 4], [33, 2]];

fn on_device(device: &dyn Device, frame: &Mounts, [width, height]: [u32; 2], tiles: u32) -> Vec<[u32; 4]> {
    let sizes = format!(
        "const WORKGROUP: u32 = 32u;\nconst TILE_WIDTH: u32 = {WIDTH}u;\nconst TILE_HEIGHT: u32 = {HEIGHT}u;\n"
    );
    let mut torus = [0; 16];
    torus[..2].copy_from_slice(&[width, height]);
    let places = (tiles * BORDER) as usize;
    let bench = Bench::new(frame.clone().with("constants", text(&sizes)), KERNEL).uniform::<u32>("torus", &torus);
    bench.output::<[u32; 4]>("results", places).run(device, places.div_ceil(32) as u32).read("results")
}

/// What a place of a tile's border leads to, by counting.
fn in_rust([width, height]: [u32; 2], tile: u32, place: u32) -> [u32; 4] {
    let across = width.div_ceil(WIDTH);
    let (top, left) = (tile / across * HEIGHT, tile % across * WIDTH);
    if top >= height {
        return [0; 4];
    }
    let (bottom, right) = ((top + HEIGHT).min(height) - 1, (left + WIDTH).min(width) - 1);
    let up = WIDTH + HEIGHT;
    let (along, is_row) = (place % up, place % up < WIDTH);
    let (row, column) = match (is_row, place < up) {
        (true, true) => (bottom, left + along),
        (true, false) => (top, left + along),
        (false, true) => (top + along - WIDTH, right),
        (false, false) => (top + along - WIDTH, left),
    };
    if row > bottom || column > right {
        return [0; 4];
    }
    let (row, column) = match (is_row, place < up) {
        (true, true) => ((row + 1) % height, column),
        (true, false) => ((row + height - 1) % height, column),
        (false, true) => (row, (column + 1) % width),
        (false, false) => (row, (column + width - 1) % width),
    };
    let other = row / HEIGHT * across + column / WIDTH;
    if other == tile { [0; 4] } else { [1, other, (place + up) % BORDER, 0] }
}

fn expected(size: [u32; 2], tiles: u32) -> Vec<[u32; 4]> {
    (0..tiles * BORDER).map(|id| in_rust(size, id / BORDER, id % BORDER)).collect()
}

/// How many tiles a torus has, and some beyond it.
fn tiles([width, height]: [u32; 2]) -> u32 {
    width.div_ceil(WIDTH) * height.div_ceil(HEIGHT) + 7
}

#[test]
fn edges_lead_out_of_tiles_of_the_torus_alone() {
    for (form, device) in adapter::every_form() {
        for size in SIZES {
            let found = on_device(&device, &frame(&device, 32), size, tiles(size));
            assert_equal(&expected(size, tiles(size)), &found, &format!("{form}: {size:?}"));
        }
    }
}

/// Each of these shows: a tile beyond the torus that has edges, an end that is not that of the torus, a wrong place.
#[test]
fn a_wrong_edge_is_caught() {
    let Some(device) = adapter::native() else { return };
    for (right, wrong) in [
        ("all(first <= last) && ", ""),
        ("all(at <= last) && ", ""),
        (" && other != tile", ""),
        ("select(place + UP, place - UP, place >= UP)", "place"),
    ] {
        let frame = with_fault(&frame(&device, 32), "queueing/torus_tiles", right, wrong);
        let differs =
            |size| first_difference(&expected(size, tiles(size)), &on_device(&device, &frame, size, tiles(size)));
        assert!(SIZES.into_iter().any(|size| differs(size).is_some()), "{right}");
    }
}
