//! Grids of values: in memory, and as files.

mod chunks;
mod codes;
mod file;
mod format;
mod geotiff;
mod lcp;
mod projection;
mod quantity;
mod stated;
mod stretch;
mod text;
mod themes;
mod wkt;

use super::{FireError, Frame, Landscape};
use tickless_core::memory;

pub(super) use codes::{Unit, unit};
pub use file::RasterFile;
pub use format::RasterFormat;
pub use projection::Projection;
pub use quantity::Quantity;
pub(super) use text::{finite, wrong};

/// The number for no value, in written grids.
const NO_DATA: f64 = -9999.0;

/// A value for every cell, cell by cell and row by row from the north-west.
///
/// [`Grid::parse`] reads it from an ESRI ASCII grid, whose header has `ncols`, `nrows`, `xllcorner` or `xllcenter`, `yllcorner` or
/// `yllcenter`, `cellsize` and, if there are cells without a value, `NODATA_value`, a keyword and a number a line. Then come
/// the values, between spaces or lines. [`RasterFile::grid`] reads it from that or a GeoTIFF of one band.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::Grid;
/// let text = "ncols 2\nnrows 1\nxllcenter 15\nyllcorner 0\ncellsize 30\nNODATA_value -1\n7 -1\n";
/// let grid = Grid::parse(text, "heights.asc")?;
/// assert_eq!((grid.frame.columns, grid.frame.corner), (2, [0.0, 0.0]));
/// assert!(grid.values[0] == 7.0 && grid.values[1].is_nan());
/// let error = Grid::parse(&text.replace("7 -1", "7 high"), "heights.asc").unwrap_err();
/// assert!(error.to_string().starts_with("heights.asc, line 7: the value in column 1, row 0 (from 0, north-west) is \"high\""));
/// # Ok::<(), tickless::cells::fire::FireError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Its name in messages: its file.
    pub name: String,
    /// Where its cells lie.
    pub frame: Frame,
    /// The projection of its coordinates, where the file says it.
    pub projection: Option<Projection>,
    /// The values; not a number for no value.
    pub values: Vec<f64>,
}

impl Grid {
    /// The grid on the cells of a landscape: the value at the middle of each.
    ///
    /// # Errors
    /// A grid that does not reach a cell that burns, or in another projection; too little memory.
    pub(super) fn on(&self, landscape: &Landscape) -> Result<Self, FireError> {
        let frame = landscape.frame();
        if self.values.len() != self.frame.cells() {
            return Err(FireError::Results { found: self.values.len(), expected: self.frame.cells() });
        }
        let mut values = memory::with_room(frame.cells(), "a grid of the weather")?;
        for cell in 0..frame.cells() as u32 {
            match self.frame.cell_at(frame.centre(cell)) {
                Some(own) => values.push(self.values[own as usize]),
                None if landscape.burns(cell) => {
                    frame.covered_by(self).map_err(|error| match error {
                        FireError::Shape { file, found, other, expected } => {
                            FireError::Reach { file, found, other, expected }
                        }
                        error => error,
                    })?;
                    values.push(f64::NAN);
                }
                None => values.push(f64::NAN),
            }
        }
        Ok(Self { name: self.name.clone(), frame, projection: self.projection.clone(), values })
    }

    /// Refuses a grid whose projection has another code.
    pub(super) fn check_projection(&self, other: Option<&Projection>, name: &str) -> Result<(), FireError> {
        match [self.projection.as_ref(), other].map(|projection| projection?.epsg()) {
            [Some(found), Some(expected)] if found != expected => {
                let cause = format!(
                    "its projection is EPSG:{found}, and that of {name} EPSG:{expected}: all grids must have one"
                );
                Err(FireError::Read { file: self.name.clone(), cause })
            }
            _ => Ok(()),
        }
    }

    /// Refuses a grid with other cells than those of this one.
    pub(super) fn covers(&self, other: &Self) -> Result<(), FireError> {
        other.check_projection(self.projection.as_ref(), &self.name)?;
        self.frame.covered_by(other).map_err(|error| match error {
            FireError::Shape { file, found, expected, .. } => {
                FireError::Shape { file, found, other: self.name.clone(), expected }
            }
            error => error,
        })
    }
}

impl Frame {
    /// Refuses a grid with other cells than these.
    pub(super) fn covered_by(&self, other: &Grid) -> Result<(), FireError> {
        let (found, expected) = (other.values.len(), other.frame.cells());
        if found != expected {
            return Err(FireError::Results { found, expected });
        }
        let (a, b) = (*self, other.frame);
        // Headers are rounded: corners may differ by a thousandth of a cell.
        let near = |x: f64, y: f64| (x - y).abs() <= a.cell_size * 1e-3;
        let same =
            a.columns == b.columns && a.rows == b.rows && (a.cell_size - b.cell_size).abs() <= a.cell_size * 1e-6;
        if same && near(a.corner[0], b.corner[0]) && near(a.corner[1], b.corner[1]) {
            return Ok(());
        }
        let [found, expected] = [b, a].map(|Frame { columns, rows, corner: [x, y], cell_size }| {
            format!("{columns} x {rows} cells of {cell_size} at ({x}, {y})")
        });
        Err(FireError::Shape { file: other.name.clone(), found, other: "the landscape".into(), expected })
    }
}
