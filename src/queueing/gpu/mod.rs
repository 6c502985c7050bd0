//! Queueing networks on a device: their records, their kernels, and results from their final state.

mod kernels;
mod multiclass;
pub(super) mod network;
mod records;
mod restoration;
mod state;
mod torus;

use std::time::Instant;

use super::capability;
use super::checkpoint::{End, State};
use super::member::{Member, MemberError};
use super::{NetworkDetails, NetworkModel, NetworkOptions, QueueingError};
use tickless_core::run::{Run, RunMode, Snapshot, SnapshotWatch};
use tickless_device::{AdapterDescription, Device, DeviceError};
use tickless_engine::ModelParts;

#[doc(hidden)]
pub use crate::capability::check_a_thread_each;
pub use crate::capability::{DevicePath, path};
pub use crate::options::Synchronization;
pub(super) use multiclass::DeviceCopies;
pub use network::events_per_round;
use torus::TorusModel;

/// Whether replications of two networks can run together: event by event, with networks that differ in numbers alone.
pub(super) fn are_alike(one: &Member<'_>, other: &Member<'_>, options: &NetworkOptions) -> bool {
    let has_threads = |(model, numbers): &Member<'_>| {
        capability::path_asked(model, numbers.len(), options) == Ok(DevicePath::EventByEvent)
    };
    has_threads(one) && has_threads(other) && multiclass::are_alike(one.0, other.0)
}

/// Replications as they stood.
pub(super) type Ends = Snapshot<Vec<End>, NetworkDetails, QueueingError>;

/// Runs replications of one network, or of several that [are alike](are_alike), at once: in rounds, or each by itself. Events count from the
/// beginning of the run.
pub(super) fn run(
    members: &[Member<'_>],
    mode: RunMode<'_, [State]>,
    device: &dyn Device,
    options: &NetworkOptions,
    watch: &mut dyn SnapshotWatch<Ends>,
) -> Result<Run<Vec<End>, NetworkDetails>, MemberError> {
    let (model, replications) = members[0].clone();
    // Of networks without classes only rounds go on from a checkpoint: all replications go as one would.
    let is_restartable = mode.keeps() || mode.from.is_some();
    let count = if is_restartable && model.rules_of_classes().is_none() { 1 } else { replications.len() };
    match capability::path_asked(model, count, options).map_err(MemberError::of_all)? {
        DevicePath::Rounds(synchronization) => {
            in_rounds((model, replications), synchronization, mode, device, options, watch).map_err(MemberError::of_all)
        }
        DevicePath::EventByEvent => {
            let end = |outcome| End { outcome, state: None };
            let run = multiclass::run(members, device, options, watch)?;
            Ok(run.map(|outcomes| outcomes.into_iter().map(end).collect()))
        }
    }
}

/// The same for one network, in rounds.
fn in_rounds(
    (model, replications): Member<'_>,
    synchronization: Synchronization,
    mode: RunMode<'_, [State]>,
    device: &dyn Device,
    options: &NetworkOptions,
    watch: &mut dyn SnapshotWatch<Ends>,
) -> Result<Run<Vec<End>, NetworkDetails>, QueueingError> {
    if let Some(torus) = model.torus()
        && replications.len() == 1
        && !torus::is_long(model)
    {
        // A synchronization that the caller names is used as it is.
        let chosen = options.synchronization.unwrap_or_else(|| synchronization.on(device.adapter()));
        let torus = TorusModel { model, torus, replication: replications.start };
        match torus::run(torus, chosen, device, options, mode, watch) {
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
    network::run(&lists, replications, synchronization, device, options, mode, (begin, watch))
}

/// The kernels and buffers of a copy of a network under control.
pub(super) fn parts_of_copy(model: &NetworkModel, adapter: &AdapterDescription) -> Result<ModelParts, QueueingError> {
    multiclass::parts(&[(model, 0..1)], adapter, &NetworkOptions::default())
}

/// Checks, before anything is allocated, whether the records of one replication of a torus fit. For any other network this
/// is known once its lists are made.
///
/// # Errors
/// [`DeviceError::Limit`] with the request, the limit and the largest torus that the adapter takes.
pub fn check_limits(model: &NetworkModel, adapter: &AdapterDescription) -> Result<(), DeviceError> {
    let Some(torus) = model.torus() else { return Ok(()) };
    let Ok(DevicePath::Rounds(synchronization)) = path(model, 1) else { return Ok(()) };
    torus::check_limits(TorusModel { model, torus, replication: 0 }, synchronization, adapter)
}

/// The kernels and buffers of replications of a network, or of several alike ones that an [`Ensemble`](super::Ensemble) runs event by event,
/// before any event.
///
/// # Errors
/// A network too large for numbers of 32 bits, lists that do not fit into memory, sizes for which no kernel can be
/// made, and appointments where a station has several servers or limited capacity.
pub fn parts(
    members: &[Member<'_>],
    synchronization: Synchronization,
    adapter: &AdapterDescription,
    options: &NetworkOptions,
) -> Result<ModelParts, QueueingError> {
    let (model, replications) = members.first().cloned().ok_or(QueueingError::NoReplication)?;
    if model.rules_of_classes().is_some()
        && capability::path_asked(model, replications.len(), options)? == DevicePath::EventByEvent
    {
        return multiclass::parts(members, adapter, options);
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

/// The same for a run that resumes from states of its networks.
///
/// # Errors
/// The same.
pub fn restored_parts(
    members: &[Member<'_>],
    synchronization: Synchronization,
    adapter: &AdapterDescription,
    options: &NetworkOptions,
) -> Result<ModelParts, QueueingError> {
    let mut parts = parts(members, synchronization, adapter, options)?;
    let (model, replications) = &members[0];
    let stations = model.stations() as usize * replications.len();
    restoration::restore(&mut parts, &vec![[0; 2]; stations], model.scale().is_some());
    Ok(parts)
}

#[cfg(test)]
mod tests;
