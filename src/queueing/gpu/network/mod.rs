//! Networks in lists on a device: one run, or many replications at once as one large network without connections.

mod appointments;
mod approximation;
mod classes;
mod crowds;
mod layout;
mod levels;
mod observations;
pub(super) mod parts;
mod restoration;
mod simulation;
mod state;

use std::ops::Range;
use std::time::Instant;

use crate::capability::{DevicePath, path};
use crate::checkpoint::{End, State};
use crate::gpu::Ends;
use crate::options::Synchronization;
use crate::{NetworkDetails, NetworkModel, NetworkOptions, QueueingError};
use levels::Levels;
use parts::{first_layout, lookahead};
use simulation::{Ending, Simulation};
use tickless_core::run::{Run, RunMode, SnapshotWatch};
use tickless_device::Device;

/// Runs one or more replications at once; set-up counts from `begin` on.
pub(super) fn run(
    model: &NetworkModel,
    replications: Range<u32>,
    synchronization: Synchronization,
    device: &dyn Device,
    options: &NetworkOptions,
    mode: RunMode<'_, [State]>,
    (begin, watch): (Instant, &mut dyn SnapshotWatch<Ends>),
) -> Result<Run<Vec<End>, NetworkDetails>, QueueingError> {
    let mut levels = model.scale().map(|_| Levels::of_states(model, mode.from.unwrap_or_default()));
    let rounds = (synchronization, device.adapter().gpus);
    loop {
        let simulation = match mode.from {
            None => {
                let layout = first_layout(rounds, model, replications.clone(), levels.clone())?;
                Simulation::start(model, layout, device, options, watch)?
            }
            Some(states) => {
                let layout = restoration::layout(rounds, model, replications.clone(), states, levels.clone())?;
                Simulation::start_from(model, (layout, states), device, options, watch)?
            }
        };
        match simulation.run(begin, mode.keeps(), watch)? {
            Ending::Run(run) => return Ok(*run),
            Ending::Outgrown(more) => {
                assert_ne!(levels.as_ref(), Some(&more), "more room where there was too little");
                levels = Some(more);
            }
        }
    }
}

/// Events that a round of one replication holds in the mean, at most: every server at work, or every token.
pub fn events_per_round(model: &NetworkModel) -> f64 {
    match path(model, 1) {
        Ok(DevicePath::Rounds(Synchronization::Appointments)) => appointments::events_per_round(model),
        _ => model.events_per_unit() * lookahead(model).units(),
    }
}

#[cfg(test)]
mod tests;
