//! The ground: fuel and slope of every cell.

use std::sync::Arc;

use rayon::prelude::*;

use super::{FireError, Fuel, FuelModels, Projection, WindAdjustment};
use tickless_cells::{Border, Space};
use tickless_core::memory;

/// The widest and the narrowest cells, in metres.
pub(super) const WIDTHS: std::ops::RangeInclusive<f64> = 0.01..=100_000.0;
/// The steepest rise per distance, which is nearly upright.
const STEEPEST: f64 = 1000.0;

/// Where the cells of a grid lie: row 0 is in the north.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// let frame = tickless::cells::fire::Frame { columns: 4, rows: 2, corner: [1000.0, 2000.0], cell_size: 30.0 };
/// assert_eq!(frame.cell_at([1031.0, 2059.0]), Some(1));
/// assert_eq!(frame.cell_at([1031.0, 2061.0]), None);
/// assert_eq!(frame.centre(1), [1045.0, 2045.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Columns.
    pub columns: u32,
    /// Rows.
    pub rows: u32,
    /// The south-west corner on the map.
    pub corner: [f64; 2],
    /// The width of a cell, in metres.
    pub cell_size: f64,
}

impl Frame {
    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// The cell of a point of the map, if there is one.
    pub fn cell_at(&self, [x, y]: [f64; 2]) -> Option<u32> {
        let column = ((x - self.corner[0]) / self.cell_size).floor();
        let above = ((y - self.corner[1]) / self.cell_size).floor();
        let inside = |along: f64, size: u32| (0.0..f64::from(size)).contains(&along);
        (inside(column, self.columns) && inside(above, self.rows))
            .then(|| column as u32 + self.columns * (self.rows - 1 - above as u32))
    }

    /// The point of the map in the middle of a cell.
    pub fn centre(&self, cell: u32) -> [f64; 2] {
        let columns = self.columns.max(1);
        let [column, row] = [cell % columns, cell / columns].map(f64::from);
        let [x, y] = self.corner;
        [x + (column + 0.5) * self.cell_size, y + (f64::from(self.rows) - row - 0.5) * self.cell_size]
    }

    /// The space of the cells, each coupled to its neighbours at these offsets.
    pub(super) fn space(&self, offsets: Vec<[i32; 3]>) -> Result<Space, FireError> {
        if !WIDTHS.contains(&self.cell_size) {
            return Err(FireError::CellSize { metres: self.cell_size });
        }
        Ok(Space::new([self.columns, self.rows, 1], Border::Open, offsets)?)
    }
}

/// Fuel and slope of every cell.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::Landscape;
/// let meadow = Landscape::uniform(20, 10, 30.0, 1)?.tilted([0.0, 0.1])?;
/// assert_eq!((meadow.fuels().len(), meadow.fuels()[0]), (200, 1));
/// assert_eq!(meadow.gradients()[7], [0.0, 0.1]);
/// # Ok::<(), tickless::cells::fire::FireError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Landscape {
    frame: Frame,
    fuels: Vec<u16>,
    gradients: Vec<[f64; 2]>,
    models: Arc<FuelModels>,
    /// The share of the ground below crowns, and their height in metres; empty where there are no trees.
    trees: Vec<[f32; 2]>,
    projection: Option<Projection>,
    remarks: Vec<String>,
}

impl Landscape {
    /// A landscape of fuel numbers (0 for no fuel) and slopes (rise per distance, toward east and toward north), cell
    /// by cell and row by row from the north-west.
    ///
    /// # Errors
    /// [`FireError`] where the numbers of cells differ, a fuel has no model or a slope is above 1000.
    pub fn new(frame: Frame, fuels: Vec<u16>, gradients: Vec<[f64; 2]>) -> Result<Self, FireError> {
        Self::of_models(frame, fuels, gradients, FuelModels::default())
    }

    /// The same, with further fuel models.
    ///
    /// # Errors
    /// As [`Landscape::new`].
    pub fn of_models(
        frame: Frame,
        fuels: Vec<u16>,
        gradients: Vec<[f64; 2]>,
        models: FuelModels,
    ) -> Result<Self, FireError> {
        frame.space(vec![])?;
        for found in [fuels.len(), gradients.len()] {
            if found != frame.cells() {
                return Err(FireError::Results { found, expected: frame.cells() });
            }
        }
        if let Some(&number) = fuels.par_iter().find_first(|&&number| !models.knows(number)) {
            return Err(FireError::Fuel { number });
        }
        check_slopes(frame, &gradients)?;
        let models = Arc::new(models);
        Ok(Self { frame, fuels, gradients, models, trees: vec![], projection: None, remarks: vec![] })
    }

    /// Flat ground of one fuel.
    ///
    /// # Errors
    /// As [`Landscape::new`].
    pub fn uniform(columns: u32, rows: u32, cell_size: f64, fuel: u16) -> Result<Self, FireError> {
        let frame = Frame { columns, rows, corner: [0.0; 2], cell_size };
        frame.space(vec![])?;
        let fuels = memory::filled(fuel, frame.cells(), "the fuels of the landscape")?;
        Self::new(frame, fuels, memory::filled([0.0; 2], frame.cells(), "the slopes of the landscape")?)
    }

    /// The same ground on one slope (rise per distance, toward east and toward north).
    ///
    /// # Errors
    /// As [`Landscape::new`].
    pub fn tilted(self, gradient: [f64; 2]) -> Result<Self, FireError> {
        let gradients = memory::filled(gradient, self.fuels.len(), "the slopes of the landscape")?;
        check_slopes(self.frame, &gradients)?;
        Ok(Self { gradients, ..self })
    }

    /// With the share of the ground below crowns, and their height in metres.
    pub(super) fn with_trees(self, trees: Vec<[f32; 2]>) -> Self {
        Self { trees, ..self }
    }

    /// The same ground in this projection.
    pub(super) fn with_projection(self, projection: Option<Projection>) -> Self {
        Self { projection, ..self }
    }

    /// With what may be odd about its files.
    pub(super) fn with_remarks(self, remarks: Vec<String>) -> Self {
        Self { remarks, ..self }
    }

    /// What may be odd about its files, in a sentence each: the run may be meant all the same.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// The same ground, where fire never enters these cells.
    #[must_use]
    pub fn without(mut self, cells: impl IntoIterator<Item = u32>) -> Self {
        for cell in cells {
            if let Some(fuel) = self.fuels.get_mut(cell as usize) {
                *fuel = 0;
            }
        }
        self
    }

    /// Where its cells lie.
    pub fn frame(&self) -> Frame {
        self.frame
    }

    /// The fuel number of every cell, 0 for no fuel.
    pub fn fuels(&self) -> &[u16] {
        &self.fuels
    }

    /// Rise per distance of every cell, toward east and toward north.
    pub fn gradients(&self) -> &[[f64; 2]] {
        &self.gradients
    }

    /// The models of its fuels.
    pub fn models(&self) -> &FuelModels {
        &self.models
    }

    /// The projection of its coordinates, where its files say it.
    pub fn projection(&self) -> Option<&Projection> {
        self.projection.as_ref()
    }

    /// Whether the landscape knows where trees stand.
    pub fn has_trees(&self) -> bool {
        !self.trees.is_empty()
    }

    /// Whether a cell can burn.
    pub fn burns(&self, cell: u32) -> bool {
        self.models.of(self.fuels[cell as usize]).is_some()
    }

    /// The wind at midflame height in a cell of a fuel, as a share of the wind at 20 feet.
    pub(super) fn wind_share(&self, by: WindAdjustment, cell: usize, fuel: &Fuel) -> f64 {
        let [cover, height] = self.trees.get(cell).copied().unwrap_or_default();
        by.share(fuel.depth, cover.into(), height.into())
    }
}

/// Refuses slopes that are too steep.
fn check_slopes(frame: Frame, gradients: &[[f64; 2]]) -> Result<(), FireError> {
    let too_steep = |rise: f64| rise.is_nan() || rise.abs() > STEEPEST;
    let steep = gradients.par_iter().position_first(|gradient| gradient.iter().any(|&rise| too_steep(rise)));
    let Some(cell) = steep else { return Ok(()) };
    let (column, row) = (cell as u32 % frame.columns, cell as u32 / frame.columns);
    let rise = gradients[cell].iter().copied().find(|&rise| too_steep(rise)).unwrap_or_default();
    Err(FireError::Slope { file: String::new(), column, row, rise })
}
