//! The cells of a space, and the cells whose outputs each of them hears.

/// The most neighbours of a cell.
pub const MOST_NEIGHBOURS: usize = 256;
/// The furthest that a neighbour may be, along each axis.
pub const FURTHEST: i32 = 1 << 15;
/// The most cells of a space.
pub const MOST_CELLS: u64 = 1 << 31;

/// The most cycles of events at one time, one after the other, beside some for each cell: more than any model without
/// livelock has.
const CYCLES: u64 = 1 << 16;
const CYCLES_OF_A_CELL: u64 = 16;

/// Why a space is invalid.
///
/// ```
/// # use tickless_cells::facade as tickless;
/// use tickless::cells::{Border, Space};
/// let error = Space::new([0, 3, 1], Border::Open, vec![]).unwrap_err();
/// assert!(error.to_string().starts_with("the space is 0 x 3 x 1 cells"));
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpaceError {
    /// No cells, or too many.
    #[error("the space is {} x {} x {} cells; it needs at least one each way, and may have 2^31", size[0], size[1], size[2])]
    Size {
        /// Columns, rows and planes.
        size: [u32; 3],
    },
    /// Too many neighbours.
    #[error("a cell has {count} neighbours; it may have {MOST_NEIGHBOURS}")]
    Neighbours {
        /// The number of neighbours.
        count: usize,
    },
    /// A neighbour that is not allowed.
    #[error(
        "the neighbour at ({}, {}, {}) is the cell itself, there twice, or further than {FURTHEST}: name each other cell \
             once",
        offset[0], offset[1], offset[2]
    )]
    Neighbour {
        /// Its offset from the cell.
        offset: [i32; 3],
    },
}

/// What lies beyond the border.
///
/// ```
/// # use tickless_cells::facade as tickless;
/// assert_eq!(tickless::cells::Border::default(), tickless::cells::Border::Open);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Border {
    /// Nothing: cells there have fewer neighbours.
    #[default]
    Open,
    /// The cells of the other side.
    Wrapped,
}

/// A two- or three-dimensional cell space. A cell's number is x + width (y + height z).
///
/// Its neighbours are the cells that it hears: the n-th is at the n-th offset from it. A cell is not its own neighbour.
///
/// ```
/// # use tickless_cells::facade as tickless;
/// use tickless::cells::{Border, Space};
/// let space = Space::new([4, 3, 1], Border::Wrapped, vec![[-1, 0, 0], [0, 1, 0]])?;
/// assert_eq!(space.cells(), 12);
/// assert_eq!(space.neighbour(0, 0), Some(3));
/// assert_eq!(space.neighbour(0, 1), Some(4));
/// # Ok::<(), tickless::cells::SpaceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    size: [u32; 3],
    border: Border,
    offsets: Vec<[i32; 3]>,
}

impl Space {
    /// A space of these columns, rows and planes.
    ///
    /// # Errors
    /// [`SpaceError`] where there are no cells or more than 2^31, more than [`MOST_NEIGHBOURS`] neighbours, a neighbour
    /// twice, the cell itself, or a neighbour further than [`FURTHEST`].
    pub fn new(size: [u32; 3], border: Border, offsets: Vec<[i32; 3]>) -> Result<Self, SpaceError> {
        let cells = size.iter().try_fold(1u64, |cells, &n| cells.checked_mul(u64::from(n))).unwrap_or(u64::MAX);
        if cells == 0 || cells > MOST_CELLS {
            return Err(SpaceError::Size { size });
        }
        if offsets.len() > MOST_NEIGHBOURS {
            return Err(SpaceError::Neighbours { count: offsets.len() });
        }
        for (place, &offset) in offsets.iter().enumerate() {
            let far = offset.iter().any(|d| d.unsigned_abs() > FURTHEST.unsigned_abs());
            if offset == [0; 3] || far || offsets[..place].contains(&offset) {
                return Err(SpaceError::Neighbour { offset });
            }
        }
        Ok(Self { size, border, offsets })
    }

    /// Columns, rows and planes.
    pub fn size(&self) -> [u32; 3] {
        self.size
    }

    /// The number of cells.
    pub fn cells(&self) -> u32 {
        self.size.iter().product()
    }

    /// What lies beyond the border.
    pub fn border(&self) -> Border {
        self.border
    }

    /// The most cycles of events at one time; with more, the run is a livelock.
    pub(super) fn most_cycles(&self) -> u64 {
        CYCLES + CYCLES_OF_A_CELL * u64::from(self.cells())
    }

    /// The offsets of the neighbours of a cell.
    pub fn offsets(&self) -> &[[i32; 3]] {
        &self.offsets
    }

    /// Column, row and plane of a cell.
    pub fn place(&self, cell: u32) -> [u32; 3] {
        let [width, height, _] = self.size;
        [cell % width, cell / width % height, cell / width / height]
    }

    /// The cell of a column, row and plane within the space.
    pub fn cell(&self, [x, y, z]: [u32; 3]) -> u32 {
        let [width, height, _] = self.size;
        x.wrapping_add(width.wrapping_mul(y.wrapping_add(height.wrapping_mul(z))))
    }

    /// The n-th neighbour of a cell, if there is one.
    pub fn neighbour(&self, cell: u32, n: usize) -> Option<u32> {
        let offset = self.offsets.get(n).filter(|_| cell < self.cells())?;
        self.at(self.place(cell), *offset)
    }

    /// The cell at an offset from a place, if there is one.
    #[inline]
    pub fn at(&self, place: [u32; 3], offset: [i32; 3]) -> Option<u32> {
        self.place_at(place, offset).map(|there| self.cell(there))
    }

    /// The place at an offset from a place, if there is a cell.
    #[inline]
    pub(super) fn place_at(&self, place: [u32; 3], offset: [i32; 3]) -> Option<[u32; 3]> {
        let mut there = [0; 3];
        for axis in 0..3 {
            there[axis] = self.along(axis, place[axis], offset[axis])?;
        }
        Some(there)
    }

    /// The place at a distance along one axis, if there is a cell.
    #[inline]
    pub(super) fn along(&self, axis: usize, place: u32, offset: i32) -> Option<u32> {
        let (size, along) = (i64::from(self.size[axis]), i64::from(place) + i64::from(offset));
        match self.border {
            _ if (0..size).contains(&along) => Some(along as u32),
            Border::Wrapped => Some(along.rem_euclid(size) as u32),
            Border::Open => None,
        }
    }

    /// The eight neighbours in the plane, in the order of reading: north-west, north, north-east, west, east, south-west,
    /// south, south-east, where row 0 is in the north.
    pub fn moore() -> Vec<[i32; 3]> {
        let around = (-1..=1).flat_map(|y| (-1..=1).map(move |x| [x, y, 0]));
        around.filter(|offset| *offset != [0; 3]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_furthest_of_all_numbers_is_too_far() {
        let far = |offset| Space::new([4, 3, 1], Border::Open, vec![offset]);
        for offset in [[i32::MIN, 0, 0], [0, FURTHEST + 1, 0], [0, 0, -FURTHEST - 1]] {
            assert_eq!(far(offset), Err(SpaceError::Neighbour { offset }));
        }
        assert!(far([-FURTHEST, FURTHEST, 0]).is_ok());
    }

    #[test]
    fn there_is_no_neighbour_beyond_the_last_cell_and_offset() {
        let space = Space::new([4, 3, 1], Border::Wrapped, vec![[1, 0, 0]]).unwrap();
        let neighbours =
            [(11, 0), (12, 0), (u32::MAX, 0), (0, 1), (0, usize::MAX)].map(|(cell, n)| space.neighbour(cell, n));
        assert_eq!(neighbours, [Some(8), None, None, None, None]);
    }
}
