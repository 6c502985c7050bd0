//! DEVS cell spaces: a Parallel DEVS atomic model in every cell, coupled to its neighbourhood.

mod checkpoint;
mod error;
pub mod fire;
mod fronts;
pub mod gpu;
pub mod log;
mod model;
mod outcome;
mod over;
mod passages;
pub mod reference;
pub mod rules;
mod run;
mod space;
pub(crate) mod watershed;

pub use checkpoint::{Checkpoint, run_from};
pub use error::CellError;
pub use fronts::{Fronts, Times};
pub use model::{Cell, CellModel, Inputs, Moment};
pub use outcome::CellOutcome;
pub use over::{Bands, OverOptions, run_from_over, run_from_over_targets, run_over, run_over_targets};
pub use passages::{AddedUpCells, Passages};
pub use run::run;
pub use space::{Border, FURTHEST, MOST_CELLS, MOST_NEIGHBOURS, Space, SpaceError};
pub use watershed::{UNITS, Watershed, WatershedError, WatershedModel};
