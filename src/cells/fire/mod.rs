//! Wildfires: Rothermel's rate of spread and an ellipse of directions, over a landscape of cells.

mod delays;
mod description;
mod error;
mod files;
mod fronts;
mod fuel;
mod grid;
mod ignition;
mod landscape;
mod made_up;
mod model;
mod paces;
mod picture;
mod results;
mod rothermel;
pub(crate) mod shard;
mod spread;
mod terrain;
mod ways;
mod weather;

#[cfg(test)]
mod tests;

pub use description::{Fire, Spreading};
pub use error::FireError;
pub use fuel::{BARE, Fuel};
pub use grid::Grid;
pub use ignition::{Ignition, Place};
#[doc(hidden)]
pub use landscape::Frame;
pub use landscape::Landscape;
pub use model::FireModel;
pub use results::{Arrivals, BurnCounts, Growth};
#[doc(hidden)]
pub use rothermel::FuelBed;
#[doc(hidden)]
pub use spread::WindLimit;
#[doc(hidden)]
pub use spread::{DIRECTIONS, Spread};
pub(crate) use weather::LATEST;
pub use weather::{Moisture, Weather, WeatherRow};
