//! DEVS cell spaces: a Parallel DEVS atomic model in every cell, coupled to its neighbourhood.

mod checkpoint;
mod distributed;
mod error;
mod fronts;
pub mod gpu;
pub mod log;
mod model;
mod outcome;
mod passages;
#[doc(hidden)]
pub mod ready;
mod reference;
mod replications;
mod run;
mod space;

pub use checkpoint::Checkpoint;
pub use distributed::Bands;
pub use error::CellError;
pub use fronts::{Fronts, Times};
pub use model::{Cell, CellModel, Inputs, Moment};
pub use outcome::CellOutcome;
pub use passages::{AddedUpCells, Passages};
#[doc(hidden)]
pub use ready::ReadyCells;
pub use run::{Runnable, run};
pub use space::{Border, FURTHEST, MOST_CELLS, MOST_NEIGHBOURS, Space, SpaceError};

/// The name `tickless` for the examples of this crate.
#[doc(hidden)]
pub mod facade {
    pub use crate as cells;
    pub use tickless_core::{archive, heap, memory, random, ranks, run, statistics, time};
    pub use tickless_device as device;
    pub use tickless_kernels as kernels;
}
