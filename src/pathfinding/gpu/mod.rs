//! Path searches on a device: each search has a thread or a workgroup, and an open list of its own; a round is a number of
//! expansions of each.

mod finder;
mod layout;
mod near;
mod options;
mod records;

use super::{Outcome, PathfindingError, SearchDetails, SearchModel};
use layout::{Layout, Rules};
use tickless_core::run::{Run, Watch};
use tickless_device::{AdapterDescription, Device};
use tickless_engine::ModelParts;

pub use finder::Finder;
pub use options::{OpenList, SearchOptions, UnknownList};

/// The kernels and buffers of a batch.
///
/// # Errors
/// A map that does not fit the adapter.
#[doc(hidden)]
pub fn parts(
    model: &SearchModel,
    options: &SearchOptions,
    adapter: &AdapterDescription,
) -> Result<ModelParts, PathfindingError> {
    let batch = model.queries().len() as u32;
    Layout::new(model.map(), rules(model), options, [batch, 1], adapter)?.parts(model.map(), options, adapter)
}

/// Runs a batch on a device; [`run`](super::run()) does so on the heap simulator as well.
///
/// # Errors
/// As [`run`](super::run()).
pub fn run(
    model: &SearchModel,
    device: &dyn Device,
    options: SearchOptions,
    watch: &mut dyn Watch,
) -> Result<Run<Outcome, SearchDetails>, PathfindingError> {
    let batch = model.queries().len() as u32;
    let mut finder = Finder::begin(model.map().clone(), rules(model), device, options, batch, watch)?;
    finder.search(model.queries(), watch)
}

fn rules(model: &SearchModel) -> Rules {
    Rules { corners: model.corner_rule(), expand: model.expanded(), paths: model.keeps_paths() }
}
