//! The grid: which cells are free, and the costs of moves.

use std::fmt;

use super::error::MapError;
use tickless_core::memory;

/// The most columns, and the most rows: the estimate to the goal fits 32 bits, in halves of a millionth of a move.
pub const MOST_SIDE: u32 = 6000;
/// The highest cost of a cell: two costs of one cell then differ by less than 2³⁰ (docs/semantics.md).
pub const MOST_COST: u8 = 100;
/// The cost of a move to the north, east, south or west between two cells of cost 1, in millionths of a move.
pub const STRAIGHT: u64 = 1_000_000;
/// The same to the four other neighbours: the square root of 2, rounded to millionths.
pub const DIAGONAL: u64 = 1_414_214;

/// A cell of a map.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// let cell = tickless::pathfinding::Cell { column: 3, row: 1 };
/// assert_eq!(cell.to_string(), "column 3, row 1");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cell {
    /// Counted from 0, from the west.
    pub column: u32,
    /// Counted from 0, from the north.
    pub row: u32,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}, row {}", self.column, self.row)
    }
}

/// Whether a diagonal move may pass a blocked cell beside it.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::{device::Target, pathfinding::{self, Cell, Corners, Map, Query, Searches}};
/// // The two free cells touch at a corner alone.
/// let map = Map::new(2, 2, vec![1, 0, 0, 1])?;
/// let query = Query { start: Cell { column: 0, row: 0 }, goal: Cell { column: 1, row: 1 } };
/// let found = |corners| {
///     let model = Searches::new(map.clone()).corners(corners).queries(vec![query]).check().unwrap();
///     let run = pathfinding::run(&model, Target::Heap, Default::default(), &mut tickless::run::unwatched()).unwrap();
///     run.outcome.searches[0].cost()
/// };
/// assert_eq!((found(Corners::Forbid), found(Corners::Allow)), (None, Some(1_414_214)));
/// # Ok::<(), tickless::pathfinding::MapError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Corners {
    /// A diagonal move needs both cells beside it free: no corner is cut. This is the rule of the Moving AI benchmarks.
    #[default]
    Forbid,
    /// A diagonal move needs only the cell that it goes to.
    Allow,
}

/// Neighbours as (columns, rows) from a cell: clockwise from the north.
pub(super) const STEPS: [(i32, i32); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// A grid of cells, blocked or free.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::pathfinding::{Cell, Map};
/// let mut map = Map::free(4, 3)?;
/// map.change(Cell { column: 1, row: 2 }, 0)?;
/// assert_eq!((map.width(), map.height(), map.free_cells()), (4, 3, 11));
/// assert_eq!(map.cost(Cell { column: 1, row: 2 }), Some(0));
/// # Ok::<(), tickless::pathfinding::MapError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    width: u32,
    height: u32,
    /// Row after row, the northern first; 0 of a blocked cell.
    costs: Vec<u8>,
}

impl Map {
    /// A map of costs, row after row, the northern first: 0 where a cell is blocked, else 1 to [`MOST_COST`], the cost of
    /// a move there relative to a cell of cost 1. A move between two cells costs the mean of their costs.
    ///
    /// # Errors
    /// [`MapError`]: wrong sides, a wrong number of costs, or an invalid cost.
    pub fn new(width: u32, height: u32, costs: Vec<u8>) -> Result<Self, MapError> {
        check_sides(width, height)?;
        if costs.len() != width as usize * height as usize {
            return Err(MapError::Cells { cells: costs.len(), width, height });
        }
        let map = Self { width, height, costs };
        match map.costs.iter().position(|&cost| cost > MOST_COST) {
            Some(id) => Err(MapError::Cost { cell: map.cell(id), cost: map.costs[id] }),
            None => Ok(map),
        }
    }

    /// A map on which every cell is free at cost 1.
    ///
    /// # Errors
    /// [`MapError`]: wrong sides, or too little memory.
    pub fn free(width: u32, height: u32) -> Result<Self, MapError> {
        check_sides(width, height)?;
        let costs = memory::filled(1, width as usize * height as usize, "the map")?;
        Ok(Self { width, height, costs })
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All costs, row after row.
    pub fn costs(&self) -> &[u8] {
        &self.costs
    }

    /// The cost of a cell, 0 where it is blocked; `None` outside of the map.
    pub fn cost(&self, cell: Cell) -> Option<u8> {
        (cell.column < self.width && cell.row < self.height).then(|| self.costs[self.id(cell)])
    }

    /// Whether the map has the cell and it is not blocked.
    pub fn is_free(&self, cell: Cell) -> bool {
        self.cost(cell).is_some_and(|cost| cost > 0)
    }

    /// The number of free cells.
    pub fn free_cells(&self) -> usize {
        self.costs.iter().filter(|&&cost| cost > 0).count()
    }

    /// Gives a cell another cost.
    ///
    /// # Errors
    /// [`MapError`]: a cell outside, or an invalid cost.
    pub fn change(&mut self, cell: Cell, cost: u8) -> Result<(), MapError> {
        self.check_change(cell, cost)?;
        let id = self.id(cell);
        self.costs[id] = cost;
        Ok(())
    }

    /// Whether a cell can have a cost.
    pub(super) fn check_change(&self, cell: Cell, cost: u8) -> Result<(), MapError> {
        if cell.column >= self.width || cell.row >= self.height {
            return Err(MapError::Outside { cell, width: self.width, height: self.height });
        }
        if cost > MOST_COST {
            return Err(MapError::Cost { cell, cost });
        }
        Ok(())
    }

    /// The number of a cell, row after row.
    pub(super) fn id(&self, cell: Cell) -> usize {
        cell.row as usize * self.width as usize + cell.column as usize
    }

    pub(super) fn cell(&self, id: usize) -> Cell {
        let (row, column) = (id / self.width as usize, id % self.width as usize);
        Cell { column: column as u32, row: row as u32 }
    }

    /// The least cost of a free cell; 1 where none is free.
    pub(super) fn least_cost(&self) -> u8 {
        self.costs.iter().copied().filter(|&cost| cost > 0).min().unwrap_or(1)
    }

    /// Which moves are allowed from each cell, row after row: bit d for the neighbour `STEPS[d]`.
    ///
    /// # Errors
    /// Too little memory.
    pub(super) fn moves(&self, corners: Corners) -> Result<Vec<u8>, memory::NoMemory> {
        let mut moves = memory::with_room(self.costs.len(), "the moves of the map")?;
        for row in 0..self.height {
            moves.extend((0..self.width).map(|column| self.moves_from(Cell { column, row }, corners)));
        }
        Ok(moves)
    }

    /// The part of the map of each cell, row after row: moves lead from a cell only to cells of its part. `moves` are those of
    /// [`Map::moves`].
    ///
    /// # Errors
    /// Too little memory.
    pub(super) fn parts(&self, moves: &[u8]) -> Result<Vec<u32>, memory::NoMemory> {
        const NONE: u32 = u32::MAX;
        let mut parts = memory::filled(NONE, moves.len(), "the parts of the map")?;
        let mut left = vec![];
        for first in 0..moves.len() as u32 {
            if parts[first as usize] != NONE {
                continue;
            }
            // The number of a part is that of its first cell.
            parts[first as usize] = first;
            left.push(first as usize);
            while let Some(id) = left.pop() {
                for (d, (columns, rows)) in STEPS.into_iter().enumerate() {
                    if moves[id] >> d & 1 == 1 {
                        let to = id.wrapping_add_signed((rows * self.width as i32 + columns) as isize);
                        if parts[to] == NONE {
                            parts[to] = first;
                            left.push(to);
                        }
                    }
                }
            }
        }
        Ok(parts)
    }

    /// The moves that are allowed from a cell.
    pub(super) fn moves_from(&self, cell: Cell, corners: Corners) -> u8 {
        if !self.is_free(cell) {
            return 0;
        }
        // One ring of neighbours: a place outside wraps to a number that no map has.
        let free = STEPS.map(|(columns, rows)| {
            let column = cell.column.wrapping_add_signed(columns);
            self.is_free(Cell { column, row: cell.row.wrapping_add_signed(rows) })
        });
        let allowed = |d: usize| {
            let cut = d % 2 == 1 && !(free[d - 1] && free[(d + 1) % 8]);
            free[d] && (corners == Corners::Allow || !cut)
        };
        (0..8).filter(|&d| allowed(d)).map(|d| 1 << d).sum()
    }
}

fn check_sides(width: u32, height: u32) -> Result<(), MapError> {
    let sides = 1..=MOST_SIDE;
    if sides.contains(&width) && sides.contains(&height) { Ok(()) } else { Err(MapError::Sides { width, height }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(rows: [&str; 3]) -> Map {
        let costs = rows.concat().bytes().map(|letter| u8::from(letter == b'.')).collect();
        Map::new(3, 3, costs).unwrap()
    }

    #[test]
    fn moves_are_those_to_free_neighbours_that_cut_no_corner() {
        let middle = Cell { column: 1, row: 1 };
        let moves = |rows, corners| map(rows).moves_from(middle, corners);
        assert_eq!(moves(["...", "...", "..."], Corners::Forbid), 0b1111_1111);
        // Without the north neither diagonal beside it is allowed.
        assert_eq!(moves([".@.", "...", "..."], Corners::Forbid), 0b0111_1100);
        assert_eq!(moves([".@.", "...", "..."], Corners::Allow), 0b1111_1110);
        assert_eq!(moves(["@..", "...", "..."], Corners::Forbid), 0b0111_1111);
        assert_eq!(moves(["...", ".@.", "..."], Corners::Allow), 0);
        // At the edge of the map.
        assert_eq!(map(["...", "...", "..."]).moves_from(Cell::default(), Corners::Allow), 0b0001_1100);
    }

    /// Otherwise costs would depend on the direction of a path.
    #[test]
    fn a_move_is_allowed_in_both_directions_or_in_none() {
        let mut costs = vec![];
        for number in 0..512_u32 {
            costs.extend((0..9).map(|bit| (number >> bit & 1) as u8));
        }
        for corners in [Corners::Forbid, Corners::Allow] {
            for costs in costs.chunks(9) {
                let map = Map::new(3, 3, costs.to_vec()).unwrap();
                for id in 0..9 {
                    let (cell, from) = (map.cell(id), map.moves_from(map.cell(id), corners));
                    for d in (0..8).filter(|d| from >> d & 1 == 1) {
                        let column = cell.column.wrapping_add_signed(STEPS[d].0);
                        let to = Cell { column, row: cell.row.wrapping_add_signed(STEPS[d].1) };
                        assert_eq!(map.moves_from(to, corners) >> ((d + 4) % 8) & 1, 1, "{costs:?} {cell}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_no_map_is_refused() {
        assert_eq!(Map::free(0, 5), Err(MapError::Sides { width: 0, height: 5 }));
        assert_eq!(Map::free(5, 6001), Err(MapError::Sides { width: 5, height: 6001 }));
        assert_eq!(Map::new(2, 2, vec![1; 3]), Err(MapError::Cells { cells: 3, width: 2, height: 2 }));
        let cost = Map::new(2, 2, vec![1, 1, 101, 1]);
        assert_eq!(cost, Err(MapError::Cost { cell: Cell { column: 0, row: 1 }, cost: 101 }));
        let mut map = Map::free(2, 2).unwrap();
        assert!(map.change(Cell { column: 2, row: 0 }, 1).is_err() && map.change(Cell::default(), 101).is_err());
    }
}
