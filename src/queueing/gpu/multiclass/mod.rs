//! Networks of classes, disciplines and patience, and many replications of small networks without them, on a device: a thread a replication,
//! each a sequential simulation of its own.
//!
//! Threads of a dispatch execute the events of their replications one by one, in the order of the heap simulator, and do not
//! exchange anything: no lookahead is needed. Where the watch ends a run, every replication goes on to the time unit behind the
//! last event of all, so that all records end at one clock.

mod attributes;
mod batch;
mod clocks;
mod controlled;
mod features;
mod fold;
mod groups;
mod histograms;
mod layout;
mod lists;
mod model_table;
mod near;
mod outcome;
mod parts;
mod records;
mod rows;
mod simulation;
mod standstill;
mod station;

use std::time::Instant;

use crate::capability::{self, check_a_thread_each};
use crate::{Member, MemberError, NetworkDetails, NetworkModel, NetworkOptions, NetworkOutcome, QueueingError};
use batch::Batch;
pub(in super::super) use controlled::DeviceCopies;
pub(super) use features::Features;
use layout::Layout;
pub(super) use model_table::{batches, intervals};
use simulation::{Ending, Simulation};
use tickless_core::run::{Run, Watch};
use tickless_device::{AdapterDescription, Device};
use tickless_engine::ModelParts;

/// Whether networks can run together.
pub(super) fn are_alike(one: &NetworkModel, other: &NetworkModel) -> bool {
    Batch::is_alike(one, other)
}

/// Runs replications of a network, or of several that are alike, as many at once as fit the device, and gives their records one network
/// after the other. Where the watch ends the run after some have ended, these count.
pub(super) fn run(
    members: &[Member<'_>],
    device: &dyn Device,
    options: &NetworkOptions,
    watch: &mut dyn Watch,
) -> Result<Run<Vec<NetworkOutcome>, NetworkDetails>, MemberError> {
    let batch = Batch::new(members);
    let check = |model: &NetworkModel| match options.synchronization {
        Some(_) => capability::check_appointments(model),
        None => check_a_thread_each(model),
    };
    batch.networks().try_for_each(check).map_err(MemberError::of_all)?;
    let mut places = Layout::first_places(&batch, options.most_tokens);
    let mut all: Option<Run<Vec<NetworkOutcome>, NetworkDetails>> = None;
    let mut first = 0;
    while first < batch.len() && !all.as_ref().is_some_and(|all| all.interrupted) {
        let begin = Instant::now();
        let left = batch.part(first..batch.len());
        let fits = Layout::new(&left, places).fitting(device.adapter()) as usize;
        let end = first + fits.min(left.len());
        let part = batch.part(first..end);
        let layout = Layout::new(&part, places);
        if part.len() == 0 {
            return Err(MemberError::of_all(layout.no_room(device.adapter())));
        }
        let started = Simulation::start(part, layout, (device, options), watch).map_err(MemberError::of_all);
        let ending = match (started.and_then(|simulation| simulation.run(begin, watch)), &mut all) {
            (Err(MemberError { error, .. }), Some(all)) if error.is_interrupted() => {
                all.interrupted = true;
                continue;
            }
            (ending, _) => ending?,
        };
        match (ending, &mut all) {
            (Ending::Outgrown(more), _) => places = more,
            (Ending::Run(run), None) => {
                all = Some(*run);
                first = end;
            }
            (Ending::Run(run), Some(all)) if run.interrupted => all.interrupted = true,
            (Ending::Run(run), Some(all)) => {
                all.add(&run);
                all.details.completions += run.details.completions;
                all.outcome.extend(run.outcome);
                first = end;
            }
        }
    }
    let mut all = all.ok_or_else(|| MemberError::of_all(QueueingError::NoReplication))?;
    all.interrupted |= all.outcome.len() < batch.len();
    Ok(all)
}

/// The kernels and buffers of replications, before any event.
///
/// # Errors
/// Sizes for which no kernel can be made, and as [`check_a_thread_each`].
pub(super) fn parts(
    members: &[Member<'_>],
    adapter: &AdapterDescription,
    options: &NetworkOptions,
) -> Result<ModelParts, QueueingError> {
    let options = NetworkOptions { synchronization: None, ..*options };
    let batch = Batch::new(members);
    batch.networks().try_for_each(check_a_thread_each)?;
    let layout = Layout::new(&batch, Layout::first_places(&batch, options.most_tokens));
    Ok(layout.parts(adapter, &options.rounds)?)
}
