//! Wildfires: Rothermel's rate of spread and an ellipse of directions, over a landscape of cells.

mod beds;
mod behaviour;
mod conditions;
mod crossing;
mod crs;
mod delays;
mod description;
mod drying;
mod error;
mod files;
mod fronts;
mod fuel;
mod ignition;
mod inclines;
mod landscape;
mod layers;
mod made_up;
mod midflame;
mod model;
mod models;
mod paces;
mod perimeters;
mod picture;
mod places;
mod raster;
mod read;
mod results;
mod rothermel;
#[doc(hidden)]
pub mod shard;
mod spread;
mod terrain;
pub mod watershed;
mod ways;
mod weather;

#[cfg(test)]
mod tests;

pub use behaviour::{Measure, conditional_flame_length};
pub use description::{Fire, Spreading};
pub use drying::Air;
pub use error::FireError;
pub use fuel::{BARE, Fuel};
pub use ignition::{Ignition, Place};
#[doc(hidden)]
pub use landscape::Frame;
pub use landscape::Landscape;
pub use layers::Layers;
pub use midflame::WindAdjustment;
pub use model::FireModel;
pub use models::FuelModels;
pub use picture::write_map;
pub use places::Barriers;
pub use raster::{Grid, Projection, Quantity, RasterFile, RasterFormat};
pub use results::{Arrivals, BurnCounts, Growth};
#[doc(hidden)]
pub use rothermel::FuelBed;
#[doc(hidden)]
pub use spread::{DIRECTIONS, Laws, Spread, Wind};
#[doc(hidden)]
pub use spread::{LengthToWidth, WindLimit};
#[doc(hidden)]
pub use weather::LATEST;
pub use weather::{Moisture, Weather, WeatherRow};

/// The name `tickless` for the examples of this crate.
#[doc(hidden)]
pub mod facade {
    pub use tickless_core::{archive, heap, memory, random, ranks, run, statistics, time};
    pub use tickless_device as device;
    /// Cell spaces.
    pub mod cells {
        pub use crate as fire;
        pub use crate::watershed::{UNITS, Watershed, WatershedError, WatershedModel};
        pub use tickless_cells::*;
    }
}
