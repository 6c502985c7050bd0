//! Wildfires: Rothermel's rate of spread and an ellipse of directions, over a landscape of cells.

mod delays;
mod description;
mod error;
mod files;
mod fuel;
mod grid;
mod ignition;
mod landscape;
mod made_up;
mod model;
mod picture;
mod results;
mod rothermel;
mod spread;
mod terrain;
mod weather;

#[cfg(test)]
mod tests;

pub use description::Fire;
pub use error::FireError;
pub use fuel::{BARE, Fuel};
pub use grid::Grid;
pub use ignition::{Ignition, Place};
pub use landscape::{Frame, Landscape};
pub use model::FireModel;
pub use results::{Arrivals, BurnCounts, Growth};
pub use rothermel::FuelBed;
pub use spread::{DIRECTIONS, Spread, WindLimit};
pub use weather::{Moisture, Weather, WeatherRow};
