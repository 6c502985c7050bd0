//! The cell spaces of both papers on cells.

use crate::cells::fire::{Fire, FireModel, Ignition, Landscape, Spreading, Weather};
use crate::cells::{Watershed, WatershedModel};
use crate::cli::CommandError;

/// Later than any fire comes to its end.
const LATE: f64 = 1e6;

/// A fire on a square landscape that is made up, from its middle and from cell to cell, without wind.
pub fn fire(side: u32) -> Result<FireModel, CommandError> {
    let landscape = Landscape::made_up(side, side, 1)?;
    let fire = Fire::new(landscape, Weather::still()).ignite([Ignition::cell(side / 2, side / 2)]);
    Ok(fire.spreading(Spreading::Neighbours).until(LATE).check()?)
}

/// An hour of rain on a square terrain that is made up, until two hours.
pub fn watershed(side: u32) -> Result<WatershedModel, CommandError> {
    Ok(Watershed::new(side, side, Landscape::made_up_heights(side, side, 1)?).check()?)
}
