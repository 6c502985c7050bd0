//! Networks of classes, disciplines and patience on a device: a thread a replication, each a sequential simulation of its own.
//!
//! Threads of a dispatch execute the events of their replications one by one, in the order of the heap simulator, and know nothing
//! of each other: no lookahead is needed. Where the watch ends a run, every replication goes on to the time unit behind the last
//! event of all, so that the records of all are cut at one clock.

mod clocks;
mod features;
mod layout;
mod lists;
mod observed;
mod outcome;
mod records;
mod simulation;
mod standstill;
mod station;
mod structure;

use std::ops::Range;
use std::time::Instant;

use crate::device::{AdapterDescription, Device};
use crate::engine::ModelParts;
use crate::queueing::gpu::synchronization::NO_APPOINTMENTS;
use crate::queueing::multiclass::Rules;
use crate::queueing::{NetworkDetails, NetworkModel, NetworkOptions, NetworkOutcome, QueueingError};
use crate::run::{Run, Watch};
pub(super) use features::Features;
use layout::Layout;
use simulation::{Ending, Simulation};
use structure::changes;
pub(super) use structure::{batches, intervals};

/// The most events of shifts and of servers that fail: each is looked at whenever the next event is looked for.
const MOST_CHANGES: u64 = 1 << 20;
/// The most sources: their numbers lie behind those of the stations in 29 bits.
const MOST_SOURCES: u32 = 1 << 28;

/// Runs replications, of which there is one or more, as many at once as fit the device. Where the watch ends the run while others
/// have ended, those count.
pub(super) fn run(
    (model, rules): (&NetworkModel, &Rules),
    replications: Range<u32>,
    device: &dyn Device,
    options: &NetworkOptions,
    watch: &mut dyn Watch,
) -> Result<Run<Vec<NetworkOutcome>, NetworkDetails>, QueueingError> {
    check((model, rules), options)?;
    let mut places = Layout::first_places(model, rules);
    let mut all: Option<Run<Vec<NetworkOutcome>, NetworkDetails>> = None;
    let mut first = replications.start;
    while first < replications.end && !all.as_ref().is_some_and(|all| all.interrupted) {
        let begin = Instant::now();
        let left = first..replications.end;
        let fits = Layout::new(model, rules, &left, places).fitting(device.adapter());
        let part = first..first + fits.min(left.len() as u32);
        let layout = Layout::new(model, rules, &part, places);
        if part.is_empty() {
            return Err(layout.no_room(device.adapter()).into());
        }
        let started = Simulation::start((model, rules), part.clone(), layout, (device, options), watch);
        let ending = match (started.and_then(|simulation| simulation.run(begin, watch)), &mut all) {
            (Err(error), Some(all)) if error.is_interrupted() => {
                all.interrupted = true;
                continue;
            }
            (ending, _) => ending?,
        };
        match (ending, &mut all) {
            (Ending::Outgrown(more), _) => places = more,
            (Ending::Run(run), None) => {
                all = Some(*run);
                first = part.end;
            }
            (Ending::Run(run), Some(all)) if run.interrupted => all.interrupted = true,
            (Ending::Run(run), Some(all)) => {
                all.add(&run);
                all.details.completions += run.details.completions;
                all.outcome.extend(run.outcome);
                first = part.end;
            }
        }
    }
    let mut all = all.ok_or(QueueingError::NoReplication)?;
    all.interrupted |= all.outcome.len() < replications.len();
    Ok(all)
}

/// Refuses what a thread a replication does not do.
///
/// # Errors
/// [`QueueingError::Multiclass`].
pub(in crate::queueing) fn check(
    (model, rules): (&NetworkModel, &Rules),
    options: &NetworkOptions,
) -> Result<(), QueueingError> {
    let refused = [
        (options.synchronization.is_some(), NO_APPOINTMENTS),
        (model.sources() > MOST_SOURCES, "no device numbers all sources of"),
        (changes(model, rules) > MOST_CHANGES, "no device has room for the servers that fail, set up or go away of"),
    ];
    match refused.into_iter().find(|(has, _)| *has) {
        Some((_, what)) => Err(QueueingError::Multiclass { what, reason: model.first_key() }),
        None => Ok(()),
    }
}

/// The kernels and buffers of replications, before anything has happened.
///
/// # Errors
/// Sizes that no kernel can be made with, and as [`check`].
pub(super) fn parts(
    (model, rules): (&NetworkModel, &Rules),
    replications: &Range<u32>,
    adapter: &AdapterDescription,
    options: &NetworkOptions,
) -> Result<ModelParts, QueueingError> {
    check((model, rules), &NetworkOptions { synchronization: None, ..*options })?;
    let layout = Layout::new(model, rules, replications, Layout::first_places(model, rules));
    Ok(layout.parts(adapter, &options.rounds)?)
}
