//! Logical processes on a device: in rounds up to the lookahead behind the earliest event of all, with a set of pending
//! events for each process.

mod crossing;
mod global;
mod layout;
mod limits;
mod model;
mod options;
mod pending;
mod records;
mod resumption;
mod simulation;
mod state;
mod totals;
mod unsorted;

use super::run::Stood;
use super::{Checkpoint, Outcome, ProcessDetails, ProcessError};
use tickless_core::run::{Run, RunMode, SnapshotWatch, Watch, WithoutSnapshots};
use tickless_device::{AdapterDescription, Device, DeviceError};
use tickless_engine::pending::PendingSet;
use tickless_engine::{ModelParts, Rounds};

pub use model::DeviceModel;
pub use options::{MOST_NODE, ProcessOptions};
use records::Process;

/// The kernels and buffers of a model.
///
/// # Errors
/// A model that does not fit the adapter.
pub fn parts(
    model: &DeviceModel,
    options: &ProcessOptions,
    adapter: &AdapterDescription,
) -> Result<ModelParts, ProcessError> {
    model.check()?;
    if options.pending == PendingSet::GlobalHeap {
        let layout = global::Layout::new(model, options, adapter)?;
        return checked(layout.every_kernel(model, adapter, &options.rounds)?, adapter);
    }
    let layout = layout::Layout::new(model, options, adapter)?;
    checked(layout.parts(model, layout::Begin::Start, adapter, &options.rounds)?, adapter)
}

/// Parts that an adapter takes, the user's buffers among them.
fn checked(parts: ModelParts, adapter: &AdapterDescription) -> Result<ModelParts, ProcessError> {
    parts.check(adapter)?;
    Ok(parts)
}

/// Runs a model of kernels on a device; [`run`](super::run) runs a model that the heap can run, too.
///
/// # Errors
/// As [`run`](super::run).
pub fn run(
    model: &DeviceModel,
    device: &dyn Device,
    options: ProcessOptions,
    watch: &mut dyn Watch,
) -> Result<Run<Outcome, ProcessDetails>, ProcessError> {
    let watch = &mut WithoutSnapshots(watch);
    Ok(simulate(model, device, &options, RunMode::whole(options.figures_only), watch)?.map(|end| end.outcome))
}

pub(super) fn simulate(
    model: &DeviceModel,
    device: &dyn Device,
    options: &ProcessOptions,
    mode: RunMode<'_, Checkpoint>,
    watch: &mut dyn SnapshotWatch<Stood>,
) -> Result<Run<Checkpoint, ProcessDetails>, ProcessError> {
    check(model, mode.from)?;
    match options.pending {
        PendingSet::GlobalHeap => global::run(model, device, options, mode, watch),
        _ => simulation::run(model, device, options, mode, watch),
    }
}

/// Refuses a model that cannot run, and a checkpoint of another model.
fn check(model: &DeviceModel, from: Option<&Checkpoint>) -> Result<(), ProcessError> {
    model.check()?;
    if let Some(from) = from {
        from.check(model.processes, model.payload_words, model.until)?;
        let (found, expected) = (from.outcome.state_words() as u64, u64::from(model.state_words));
        if found != expected {
            return Err(ProcessError::Checkpoint { what: "words of a state", found, expected });
        }
    }
    Ok(())
}

/// The state of each process's stream.
fn streams(rounds: &mut Rounds) -> Result<Vec<u64>, DeviceError> {
    state::streams(&rounds.read::<Process>("processes")?)
}

#[cfg(test)]
mod tests;
