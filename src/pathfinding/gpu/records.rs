//! Records of the kernels of searches, mirrored from `shaders/pathfinding/`.

use crate::{Cell, Map};
use tickless_kernels::layout::mirrors;

/// The cells of a tile in a row and in a column.
pub(super) const TILE: u32 = 8;
/// Cells of a tile.
pub(super) const TILE_CELLS: u32 = TILE * TILE;
/// Words of a thread before the bits of its tiles, `TOUCHED_AT` of `works.wgsl`.
pub(super) const WORK_WORDS: u32 = 8;

/// How a search has ended, `searches.wgsl`; 0 while it has not.
pub(super) const FOUND: u32 = 1;
pub(super) const NO_PATH: u32 = 2;
pub(super) const OPEN_LIST_FULL: u32 = 3;

mirrors! {
    /// `Parameters` of `ground.wgsl`.
    pub(super) struct Parameters in "pathfinding/ground" "Parameters" {
        pub(super) across: u32,
        pub(super) tiles: u32,
        pub(super) at_once: u32,
        pub(super) slots: u32,
        pub(super) expansions: u32,
        pub(super) path_room: u32,
        pub(super) unused: [u32; 2],
    }

    /// `ModelStatus` of `status.wgsl`.
    #[derive(Default)]
    pub(super) struct Status in "pathfinding/status" "ModelStatus" {
        pub(super) next: u32,
        pub(super) ended: u32,
        pub(super) path_words: u32,
        pub(super) longest: u32,
        pub(super) searches: u32,
        pub(super) twice_least: u32,
    }
}

/// A search, `searches.wgsl`.
#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Search {
    pub(super) start: u32,
    pub(super) goal: u32,
    pub(super) path: u32,
    pub(super) moves: u32,
    pub(super) cost: [u32; 2],
    pub(super) expansions: u32,
    pub(super) state: u32,
}

/// The number of a cell as kernels write it: in the order of cells, row by row.
pub(super) fn place(cell: Cell) -> u32 {
    cell.row << 16 | cell.column
}

/// The place of a cell in lists of all cells, like `cell_of` of `ground.wgsl`.
pub(super) fn slot(cell: Cell, across: u32) -> usize {
    let Cell { column, row } = cell;
    let tile = (row / TILE * across + column / TILE) as usize;
    let within = (row & 6) << 3 | (column & 4) << 1 | (row & 1) << 2 | column & 3;
    tile * TILE_CELLS as usize + within as usize
}

/// Tiles in a row of tiles, and all tiles.
pub(super) fn tiles(map: &Map) -> [u32; 2] {
    let across = map.width().div_ceil(TILE);
    [across, across * map.height().div_ceil(TILE)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each cell has a place of its own, and the cells of a sector are 4 x 2.
    #[test]
    fn cells_lie_in_tiles() {
        let map = Map::free(21, 13).unwrap();
        let [across, tiles] = tiles(&map);
        assert_eq!([across, tiles], [3, 6]);
        let mut places = vec![None; (tiles * TILE_CELLS) as usize];
        for (column, row) in (0..21).flat_map(|column| (0..13).map(move |row| (column, row))) {
            let found = places[slot(Cell { column, row }, across)].replace((column / 4, row / 2));
            assert_eq!(found, None);
        }
        for sector in places.chunks(8) {
            let mut cells = sector.iter().flatten();
            let first = cells.next();
            assert!(cells.all(|cell| Some(cell) == first), "{sector:?}");
        }
    }
}
