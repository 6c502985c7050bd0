//! Rounds on a device: the five steps as a program, batches of rounds, the stop, faults and progress.
//!
//! 1. minimum: the least of next event times, reduced while the last round selected and scheduled;
//! 2. bound: the bound of this round;
//! 3. select: the imminent entities, in id order;
//! 4. departure and 5. arrival: the model's own kernels.
//!
//! Steps 1 to 3 are written once, in `shaders/engine/`. A model gives [`ModelParts`].

mod batch;
mod control;
pub mod pending;
mod program;
mod results;
mod rounds;
mod run;
mod sizes;
mod standing;

pub use batch::BatchSize;
#[doc(hidden)]
pub use control::{Control, ModelStatus};
#[doc(hidden)]
pub use program::{ModelParts, Stage, StageKernel, Work, first_summaries, round_program, shared_bound};
#[doc(hidden)]
pub use results::{Results, add_results};
#[doc(hidden)]
pub use rounds::Rounds;
#[doc(hidden)]
pub use run::DeviceRun;
pub use sizes::Options;
#[doc(hidden)]
pub use sizes::Sizes;
#[doc(hidden)]
pub use sizes::{refused, workgroup};

/// The name `tickless` for the examples of this crate.
#[doc(hidden)]
pub mod facade {
    pub use crate as engine;
    pub use crate::pending;
    pub use tickless_core::{archive, heap, memory, random, ranks, run, statistics, time};
    pub use tickless_device as device;
    pub use tickless_kernels as kernels;
}
