//! Queueing networks on a device: their records, their kernels, and what their final state says.

mod kernels;
mod laws;
mod multiclass;
pub(super) mod network;
mod records;
mod restoration;
mod state;
mod torus;

use std::ops::Range;
use std::time::Instant;

use super::capability;
use super::checkpoint::{End, State};
use super::lot::{Lot, LotError};
use super::{NetworkDetails, NetworkModel, NetworkOptions, NetworkOutcome, QueueingError};
use tickless_core::run::{Run, Snapshot, SnapshotWatch, Watch, WithoutSnapshots};
use tickless_core::time::Time;
use tickless_device::{AdapterDescription, Device, DeviceError};
use tickless_engine::ModelParts;

pub use crate::capability::synchronization;
#[doc(hidden)]
pub use crate::capability::{check_a_thread_each, is_event_by_event};
pub use crate::options::Synchronization;
pub use network::events_per_round;
use torus::TorusModel;

/// Runs replications at once, of which there is one or more: those of classes, disciplines and patience each for itself, where they do
/// not go in rounds.
pub(super) fn run(
    model: &NetworkModel,
    replications: Range<u32>,
    device: &dyn Device,
    options: &NetworkOptions,
    watch: &mut dyn Watch,
) -> Result<Run<Vec<NetworkOutcome>, NetworkDetails>, QueueingError> {
    if let Some(rules) = capability::event_by_event(model, replications.len(), options)? {
        return multiclass::run((model, rules), replications, device, options, watch);
    }
    let run = run_all(model, replications, device, options, (&[], false), &mut WithoutSnapshots(watch))?;
    Ok(run.map(|ends| ends.into_iter().map(|end| end.outcome).collect()))
}

/// Whether replications of two networks can run together: event by event, and with nothing but other numbers.
pub(super) fn are_alike(one: &Lot<'_>, other: &Lot<'_>, options: &NetworkOptions) -> bool {
    let rules =
        |(model, numbers): &Lot<'_>| capability::event_by_event(model, numbers.len(), options).ok().flatten().is_some();
    let [a, b] = [one.0.rules_of_classes(), other.0.rules_of_classes()];
    rules(one) && rules(other) && a.zip(b).is_some_and(|(a, b)| multiclass::are_alike((one.0, a), (other.0, b)))
}

/// Runs replications of networks that are alike, or of one network, and gives their records one network after the other.
pub(super) fn run_alike(
    lots: &[Lot<'_>],
    device: &dyn Device,
    options: &NetworkOptions,
    watch: &mut dyn Watch,
) -> Result<Run<Vec<NetworkOutcome>, NetworkDetails>, LotError> {
    let with_rules: Option<Vec<_>> =
        lots.iter().map(|(model, numbers)| Some(((*model, model.rules_of_classes()?), numbers.clone()))).collect();
    match with_rules.filter(|_| lots.len() > 1) {
        Some(lots) => multiclass::run_alike(&lots, device, options, watch),
        None => run(lots[0].0, lots[0].1.clone(), device, options, watch).map_err(LotError::of_all),
    }
}

/// What is in the networks where a run goes on, nothing where it begins at time 0; and whether another one is to go on from its
/// end.
type Course<'a> = (&'a [State], bool);

/// Replications as they stood.
pub(super) type Ends = Snapshot<Vec<End>, NetworkDetails, QueueingError>;

/// The same from what is in the network of each, or from time 0 where there are no states, to where others can go on. Counted are
/// the events since then.
pub(super) fn run_from(
    model: &NetworkModel,
    replications: Range<u32>,
    states: &[State],
    device: &dyn Device,
    options: &NetworkOptions,
    watch: &mut dyn SnapshotWatch<Ends>,
) -> Result<Run<Vec<End>, NetworkDetails>, QueueingError> {
    capability::check_checkpoints(model, false)?;
    run_all(model, replications, device, options, (states, true), watch)
}

fn run_all(
    model: &NetworkModel,
    replications: Range<u32>,
    device: &dyn Device,
    options: &NetworkOptions,
    course: Course<'_>,
    watch: &mut dyn SnapshotWatch<Ends>,
) -> Result<Run<Vec<End>, NetworkDetails>, QueueingError> {
    let synchronization = options.synchronization.map_or_else(|| synchronization(model), Ok)?;
    match synchronization {
        Synchronization::Window if model.lookahead() == Time::ZERO => return Err(QueueingError::NoLookahead),
        Synchronization::Window => {}
        Synchronization::Appointments | Synchronization::AppointmentsInTiles => capability::check_appointments(model)?,
    }
    if let Some(torus) = model.torus()
        && replications.len() == 1
        && !torus::is_long(model)
    {
        // Whoever names one gets that one.
        let chosen = options.synchronization.unwrap_or_else(|| synchronization.on(device.adapter()));
        let torus = TorusModel { model, torus, replication: replications.start };
        match torus::run(torus, chosen, device, options, course, watch) {
            // The records of a torus are short. Those of a network in lists hold the sum.
            Err(QueueingError::Overflow { .. }) => {}
            other => return other,
        }
    }
    let begin = Instant::now();
    let lists = model.in_lists()?;
    let synchronization = match synchronization {
        Synchronization::AppointmentsInTiles => Synchronization::Appointments,
        other => other,
    };
    network::run(&lists, replications, synchronization, device, options, course, (begin, watch))
}

/// Says of a run of one replication of a torus whether its records fit, before anything is allocated. Of any other network
/// that is known once its lists are made.
///
/// # Errors
/// [`DeviceError::Limit`] with what was asked, what there is and the largest torus that the adapter takes.
pub fn check_limits(model: &NetworkModel, adapter: &AdapterDescription) -> Result<(), DeviceError> {
    let Some(torus) = model.torus() else { return Ok(()) };
    let synchronization = synchronization(model).unwrap_or(Synchronization::Window);
    torus::check_limits(TorusModel { model, torus, replication: 0 }, synchronization, adapter)
}

/// The kernels and buffers of replications of a network, before anything has happened.
///
/// # Errors
/// A network that 32 bits cannot number, lists that do not fit into memory, sizes that no kernel can be made with, and
/// appointments where a station has several servers or limited capacity.
pub fn parts(
    model: &NetworkModel,
    replications: Range<u32>,
    synchronization: Synchronization,
    adapter: &AdapterDescription,
    options: &NetworkOptions,
) -> Result<ModelParts, QueueingError> {
    if let Some(rules) = capability::event_by_event(model, replications.len(), options)? {
        return multiclass::parts((model, rules), &replications, adapter, options);
    }
    if synchronization != Synchronization::Window {
        capability::check_appointments(model)?;
    }
    let parts = match model.torus() {
        Some(torus) if replications.len() == 1 => torus::parts(
            TorusModel { model, torus, replication: replications.start },
            synchronization,
            adapter,
            options,
        ),
        _ => network::parts::parts(&*model.in_lists()?, replications, synchronization, adapter, &options.rounds),
    };
    Ok(parts?)
}

/// Those of several networks that run together, as [`super::run_several`] runs them where they are alike.
///
/// # Errors
/// As [`parts`]; [`QueueingError::Multiclass`] of networks that do not run event by event.
pub fn parts_of_several(
    lots: &[Lot<'_>],
    adapter: &AdapterDescription,
    options: &NetworkOptions,
) -> Result<ModelParts, QueueingError> {
    let with_rules = lots.iter().map(|(model, numbers)| match model.rules_of_classes() {
        Some(rules) => Ok(((*model, rules), numbers.clone())),
        None => Err(QueueingError::Multiclass { what: "no device runs beside others", reason: model.first_key() }),
    });
    let lots: Vec<_> = with_rules.collect::<Result<_, QueueingError>>()?;
    multiclass::parts_alike(&lots, adapter, options)
}

/// The same where they go on from what is in them.
///
/// # Errors
/// The same.
pub fn restored_parts(
    model: &NetworkModel,
    replications: Range<u32>,
    synchronization: Synchronization,
    adapter: &AdapterDescription,
    options: &NetworkOptions,
) -> Result<ModelParts, QueueingError> {
    let stations = model.stations() as usize * replications.len();
    let mut parts = parts(model, replications, synchronization, adapter, options)?;
    restoration::restore(&mut parts, &vec![[0; 2]; stations], model.scale().is_some());
    Ok(parts)
}

#[cfg(test)]
mod tests;
