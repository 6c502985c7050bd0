//! Experiments: many networks that differ in some numbers, in one run, and the effects of these numbers.
//!
//! A network file with a table `[experiment]` says which keys are varied ([`Factor`]), in which combinations ([`Design`]), and what is measured
//! ([`Measure`]). Every combination is a point, a network of its own, and every point has the same number of replications, or more where the
//! best point is looked for. With common random numbers, which is the default, replication r has the same random streams at every point, so
//! that differences between points come from the designs and not from luck. `docs/experiments.md` describes the table.

mod allocation;
mod asked;
mod checkpoint;
mod contrast;
mod design;
mod effects;
mod error;
mod experiment;
mod factor;
mod file;
mod fraction;
mod front;
mod keys;
mod measure;
pub mod optimization;
mod outcome;
#[cfg(test)]
mod pauses;
mod run;
mod runner;
mod selection;
mod simulator;
mod slopes;
mod study;

pub use allocation::{allocation, constrained_allocation};
pub use asked::{Best, Front, Rule};
#[doc(hidden)]
pub use checkpoint::{arrays_of, points_of};
pub use contrast::{Sample, contrast};
pub use design::Design;
#[doc(hidden)]
pub use design::combinations;
pub use effects::{Effect, Interaction, effects, interactions};
pub use error::ExperimentError;
pub use experiment::Experiment;
pub use factor::{Factor, Level};
/// A network file with the tables of experiments and optimizations.
pub type NetworkFile = tickless_queueing::File<file::Entry, optimization::Entry>;
pub use fraction::resolution;
pub use front::front;
pub use measure::{Measure, Pair};
pub use outcome::{ExperimentOutcome, PointOutcome};
pub use run::run;
#[doc(hidden)]
pub use run::run_from;
pub use runner::PointError;
pub use selection::{Selection, Stage};
pub use simulator::{GivenPoints, Simulator};
pub use slopes::{Plane, slopes};
pub use study::{Overrides, Point};

/// The name `tickless` for the examples of this crate.
#[doc(hidden)]
pub mod facade {
    pub use crate as experiments;
    pub use tickless_core::{archive, heap, memory, random, ranks, run, statistics, time};
    pub use tickless_device as device;
    pub use tickless_queueing as queueing;
}
