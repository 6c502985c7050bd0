//! The layers of a landscape: grids of fuels, heights or slopes, canopy, and where fire never enters.

use rayon::prelude::*;

use super::terrain::{SUPPRESSED, gradients, numbers, whole, wrong_cell};
use super::{FireError, FuelModels, Grid, Landscape};
use tickless_core::memory;

/// Slopes below this are level, in degrees: a whole number of degrees or percent may be 1 where the ground has no direction.
const LEVEL: f64 = 2.0;

/// The grids of a landscape. All have the same cells.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::{FuelModels, Grid, Landscape, Layers};
/// let grid = |values: &str| Grid::parse(&format!("ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 30\n{values}"), "g.asc");
/// // A slope of 45 degrees that faces south: it rises to the north.
/// let layers = Layers::new(grid("1 2")?).with_slope(grid("45 0")?, grid("180 -1")?);
/// let landscape = Landscape::of_layers(&layers, FuelModels::default())?;
/// assert!((landscape.gradients()[0][1] - 1.0).abs() < 1e-12);
/// # Ok::<(), tickless::cells::fire::FireError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Layers {
    /// Numbers of fuel models; without a value nothing burns.
    pub fuel: Grid,
    /// Heights in metres. Slopes are computed from them unless given.
    pub elevation: Option<Grid>,
    /// Slope in degrees, and aspect: the direction in which the ground falls, in degrees clockwise from north; below 0
    /// where it is level.
    pub slope: Option<[Grid; 2]>,
    /// Percent of the ground below crowns, and the height of the trees in metres; no value is 0.
    pub canopy: Option<[Grid; 2]>,
    /// 1 where fire never enters, 0 or no value elsewhere.
    pub suppressed: Option<Grid>,
}

impl Layers {
    /// Flat ground without trees.
    pub fn new(fuel: Grid) -> Self {
        Self { fuel, elevation: None, slope: None, canopy: None, suppressed: None }
    }

    /// With slope and aspect.
    #[must_use]
    pub fn with_slope(mut self, slope: Grid, aspect: Grid) -> Self {
        self.slope = Some([slope, aspect]);
        self
    }

    fn all(&self) -> impl Iterator<Item = &Grid> {
        let pairs = self.slope.iter().chain(&self.canopy).flatten();
        [Some(&self.fuel), self.elevation.as_ref(), self.suppressed.as_ref()].into_iter().flatten().chain(pairs)
    }

    /// What may be odd about slopes: an aspect that says level ground where there is a slope.
    fn about_aspects(&self, models: &FuelModels) -> Option<String> {
        let [slope, aspect] = self.slope.as_ref()?;
        let burns = |cell: &usize| whole(self.fuel.values[*cell]).is_some_and(|number| models.of(number).is_some());
        let is_odd = |cell: &usize| {
            let toward = aspect.values[*cell];
            slope.values[*cell] >= LEVEL && (toward < 0.0 || toward.is_nan()) && burns(cell)
        };
        let odd = || (0..slope.values.len()).into_par_iter().filter(|cell| is_odd(cell));
        let first = odd().find_first(|_| true)?;
        let columns = self.fuel.frame.columns as usize;
        Some(format!(
            "{}: {} cells that burn have no direction and a slope, the first in column {}, row {} (from 0, north-west), of {} degrees in \
             {}: they are taken as level; give the aspect there, or heights by --elevation alone",
            aspect.name,
            odd().count(),
            first % columns,
            first / columns,
            slope.values[first],
            slope.name
        ))
    }

    /// The slopes of the given grids.
    fn given_slopes(&self, [slope, aspect]: &[Grid; 2], models: &FuelModels) -> Result<Vec<[f64; 2]>, FireError> {
        let burns = |cell: usize| whole(self.fuel.values[cell]).is_some_and(|number| models.of(number).is_some());
        let level = |cell: usize| slope.values[cell] == 0.0;
        let wrong = |cell: &usize| {
            let (degrees, toward) = (slope.values[*cell], aspect.values[*cell]);
            burns(*cell) && !((0.0..90.0).contains(&degrees) && (level(*cell) || (-1.0..=360.0).contains(&toward)))
        };
        if let Some(cell) = (0..slope.values.len()).into_par_iter().find_first(wrong) {
            let of_slope = !(0.0..90.0).contains(&slope.values[cell]);
            let (grid, allowed) = if of_slope {
                (slope, "a slope from 0 to below 90 degrees, as the fuel there burns")
            } else {
                (aspect, "an aspect from 0 to 360 degrees, or -1 where the ground is level")
            };
            return Err(wrong_cell(grid, cell, allowed));
        }
        let of = |cell: usize| {
            let (degrees, toward) = (slope.values[cell], aspect.values[cell]);
            if degrees.is_nan() || toward.is_nan() || toward < 0.0 || level(cell) || !burns(cell) {
                return [0.0; 2];
            }
            let (rise, toward) = (libm::tan(degrees.to_radians()), toward.to_radians());
            [-rise * libm::sin(toward), -rise * libm::cos(toward)]
        };
        Ok((0..slope.values.len()).into_par_iter().map(of).collect())
    }
}

impl Landscape {
    /// A landscape of layers, with fuels of these models. Cells without a fuel never burn.
    ///
    /// # Errors
    /// [`FireError`] where grids have other cells than the fuels, or a value is not allowed: a fuel without a model,
    /// ground that burns without a height, a suppression that is neither 0 nor 1.
    pub fn of_layers(layers: &Layers, models: FuelModels) -> Result<Self, FireError> {
        let fuel = &layers.fuel;
        layers.all().try_for_each(|other| fuel.covers(other))?;
        // Fuels, marks, slopes and trees.
        memory::room::<[u16; 14]>(fuel.values.len(), "the cells of the landscape")?;
        let mut fuels =
            numbers(fuel, "the number of a fuel model, or one of ground that never burns (docs/cells.md)", |v| {
                v != 0 && models.knows(v)
            })?;
        if let Some(grid) = &layers.suppressed {
            let marks = numbers(grid, SUPPRESSED, |value| value < 2)?;
            fuels.iter_mut().zip(marks).filter(|(_, mark)| *mark == 1).for_each(|(fuel, _)| *fuel = 0);
        }
        let slopes = match (&layers.slope, &layers.elevation) {
            (Some(given), _) => layers.given_slopes(given, &models)?,
            (None, None) => vec![[0.0; 2]; fuels.len()],
            (None, Some(grid)) => {
                let lacks = |(number, height): (&u16, &f64)| models.of(*number).is_some() && height.is_nan();
                if let Some(cell) = fuels.par_iter().zip(&grid.values).position_first(lacks) {
                    return Err(wrong_cell(grid, cell, "a height in metres, as the fuel there burns"));
                }
                grid.check_heights()?;
                gradients(fuel.frame, &grid.values)
            }
        };
        let trees = layers.canopy.as_ref().map(trees).transpose()?.unwrap_or_default();
        let file = layers.slope.as_ref().map(|[slope, _]| slope).or(layers.elevation.as_ref());
        let made = Self::of_models(fuel.frame, fuels, slopes, models).map_err(|error| match error {
            FireError::Slope { column, row, rise, .. } => {
                FireError::Slope { file: file.map(|grid| grid.name.clone()).unwrap_or_default(), column, row, rise }
            }
            error => error,
        })?;
        let projection = layers.all().find_map(|grid| grid.projection.clone());
        let of_map = projection.as_ref().and_then(|projection| projection.remark(fuel.frame));
        let remarks = layers.about_aspects(made.models()).into_iter().chain(of_map).collect();
        Ok(made.with_trees(trees).with_projection(projection).with_remarks(remarks))
    }
}

/// The share of the ground below crowns, and heights in metres.
fn trees([cover, height]: &[Grid; 2]) -> Result<Vec<[f32; 2]>, FireError> {
    for (grid, most, allowed) in
        [(cover, 100.0, "percent of the ground, from 0 to 100"), (height, 150.0, "a height from 0 to 150 metres")]
    {
        let wrong = |value: &f64| !value.is_nan() && !(0.0..=most).contains(value);
        if let Some(cell) = grid.values.par_iter().position_first(wrong) {
            return Err(wrong_cell(grid, cell, allowed));
        }
    }
    let is_fraction = |value: &f64| *value > 0.0 && *value < 1.0;
    if cover.values.par_iter().all(|value| value.is_nan() || *value <= 1.0)
        && let Some(cell) = cover.values.par_iter().position_first(is_fraction)
    {
        return Err(wrong_cell(
            cover,
            cell,
            "percent of the ground, and all values here are fractions of 1: times 100",
        ));
    }
    let number = |value: f64| if value.is_nan() { 0.0 } else { value as f32 };
    Ok(cover
        .values
        .par_iter()
        .zip(&height.values)
        .map(|(cover, height)| [number(cover / 100.0), number(*height)])
        .collect())
}
