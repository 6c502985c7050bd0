//! Logical processes on a device: in rounds up to the lookahead behind the earliest event of all, with a set of pending
//! events for each process.

mod global;
mod layout;
mod limits;
mod model;
mod options;
mod pending;
mod records;
mod simulation;
mod state;
mod totals;
mod unsorted;

use super::{Outcome, ProcessDetails, ProcessError};
use crate::device::{AdapterDescription, Device};
use crate::engine::ModelParts;
use crate::pending::PendingSet;
use crate::run::{Run, Watch};
use crate::time::Time;

pub use model::DeviceModel;
pub use options::{MOST_NODE, ProcessOptions};

/// The kernels and buffers of a model.
///
/// # Errors
/// A model that does not fit the adapter.
pub fn parts(
    model: &DeviceModel,
    options: &ProcessOptions,
    adapter: &AdapterDescription,
) -> Result<ModelParts, ProcessError> {
    if options.pending == PendingSet::GlobalHeap {
        let layout = global::Layout::new(model, options, adapter)?;
        return Ok(layout.every_kernel(model, adapter, &options.rounds)?);
    }
    let layout = layout::Layout::new(model, options, adapter)?;
    Ok(layout.parts(model, layout::Begin::Start, adapter, &options.rounds)?)
}

/// Runs a model on a device; [`run`](super::run) does so for one that the heap runs as well.
///
/// # Errors
/// As [`run`](super::run).
pub fn run(
    model: &DeviceModel,
    device: &dyn Device,
    options: ProcessOptions,
    watch: &mut dyn Watch,
) -> Result<Run<Outcome, ProcessDetails>, ProcessError> {
    if model.lookahead == Time::ZERO {
        return Err(ProcessError::NoLookahead);
    }
    match options.pending {
        PendingSet::GlobalHeap => global::run(model, device, &options, watch),
        _ => simulation::run(model, device, &options, watch),
    }
}

#[cfg(test)]
mod tests;
