//! The cell spaces of both papers on cells.

use crate::CommandError;
use tickless_fire::watershed::Watershed;
use tickless_fire::watershed::WatershedModel;
use tickless_fire::{Fire, FireModel, Ignition, Landscape, Spreading, Weather};

/// A time after the end of any fire.
const LATE: f64 = 1e6;

/// A fire on a square landscape that is made up, from a cell near its middle and from cell to cell, without wind.
pub fn fire(side: u32) -> Result<FireModel, CommandError> {
    let landscape = Landscape::made_up(side, side, 1)?;
    let (middle, cells) = (side / 2 * side + side / 2, side * side);
    let burning = (0..cells).filter(|&cell| landscape.burns(cell)).min_by_key(|cell| cell.abs_diff(middle));
    let first = burning.unwrap_or(middle);
    let fire = Fire::new(landscape, Weather::still()).ignite([Ignition::cell(first % side, first / side)]);
    Ok(fire.spreading(Spreading::Neighbours).until(LATE).check()?)
}

/// The number of steps of ten seconds of a watershed, and the time when the last of them is over.
pub const STEPS: f64 = 331.0;
const RAIN_UNTIL: f64 = 10.0 * STEPS + 5.0;

/// Constant rain on a square terrain that is made up.
pub fn watershed(side: u32) -> Result<WatershedModel, CommandError> {
    Ok(Watershed::new(side, side, Landscape::made_up_heights(side, side, 1)?).until(RAIN_UNTIL).check()?)
}
