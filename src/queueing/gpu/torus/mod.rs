//! A torus on a device: its edges are computed, its records short.

mod model;
mod parts;
mod restoration;
mod state;
mod tiles;
mod totals;

use std::time::Instant;

use super::Course;
use super::kernels::{appointments_of, furthest};
use super::records::{ShortStation, Token};
use super::state::fault;
use super::synchronization::Synchronization;
use crate::device::{AdapterDescription, Device, DeviceError};
use crate::engine::{DeviceRun, ModelParts, Rounds};
use crate::queueing::checkpoint::End;
use crate::queueing::{NetworkDetails, NetworkModel, NetworkOptions, NetworkOutcome, QueueingError};
use crate::run::{Run, Watch};
use crate::time::Time;
use parts::SPANS;
use totals::TorusTotals;

pub(super) use model::TorusModel;
pub(super) use state::read_state;

/// The kernels and buffers.
///
/// # Errors
/// Sizes that no kernel can be made with.
pub(super) fn parts(
    torus: TorusModel<'_>,
    synchronization: Synchronization,
    adapter: &AdapterDescription,
    options: &NetworkOptions,
) -> Result<ModelParts, DeviceError> {
    let rounds = &options.rounds;
    let mut parts = match synchronization {
        Synchronization::Window => parts::window(torus, adapter, rounds),
        Synchronization::Appointments => parts::appointed(torus, adapter, rounds),
        Synchronization::AppointmentsInTiles => tiles::parts(torus, adapter, rounds),
    }?;
    if options.figures_only {
        totals::add_up(&mut parts, torus, synchronization == Synchronization::AppointmentsInTiles, adapter);
    }
    Ok(parts)
}

/// Runs the replication.
pub(super) fn run(
    torus: TorusModel<'_>,
    synchronization: Synchronization,
    device: &dyn Device,
    options: &NetworkOptions,
    (from, keeps): Course<'_>,
    watch: &mut dyn Watch,
) -> Result<Run<Vec<End>, NetworkDetails>, QueueingError> {
    let TorusModel { model, .. } = torus;
    let by_appointments = synchronization != Synchronization::Window;
    let in_tiles = synchronization == Synchronization::AppointmentsInTiles;
    check_limits(torus, synchronization, device.adapter())?;
    let started = Instant::now();
    let mut parts = parts(torus, synchronization, device.adapter(), options)?;
    let rounds = match from.first() {
        None => Rounds::start(device, parts, &options.rounds, watch)?,
        Some(state) => {
            let next_event = restoration::restore(&mut parts, torus, state)?;
            Rounds::start_from(device, parts, &next_event, &options.rounds, watch)?
        }
    };
    let mut simulation = Simulation { model, by_appointments, rounds };
    let setup = started.elapsed();
    let (interrupted, mut left);
    left = None;
    let stations = if options.figures_only {
        let (before, ended) = simulation.run(watch, |rounds| TorusTotals::read(rounds, torus))?;
        interrupted = ended;
        totals::outcome(&mut simulation.rounds, torus, in_tiles, before.as_ref())?
    } else {
        let initial = |_| torus.tokens_each();
        let (before, ended) =
            simulation.run(watch, |rounds| Ok(read_state(rounds, torus, in_tiles)?.totals(initial)))?;
        interrupted = ended;
        let state = read_state(&mut simulation.rounds, torus, in_tiles)?;
        let (totals, all) = (state.totals(initial), 0..model.stations() as usize);
        left = (keeps && interrupted).then(|| state.at(all.clone(), &totals, |_| Time::NEVER));
        state.outcome(all, &totals, before.as_deref(), model.warmup())?
    };
    let rounds = simulation.rounds;
    let appointments = by_appointments.then(|| appointments_of(&rounds, model.stations().into()));
    let details = NetworkDetails { completions: rounds.control().events, appointments };
    let outcome = NetworkOutcome::closed(stations, model.tokens().into());
    Ok(rounds.run(setup, interrupted, vec![End { outcome, state: left }], details))
}

/// A torus at work.
struct Simulation<'a> {
    model: &'a NetworkModel,
    by_appointments: bool,
    rounds: Rounds,
}

impl Simulation<'_> {
    /// Runs to the horizon, or until the watch ends it. What `read` finds at the end of the warm-up, where there is one, and
    /// whether the run was interrupted.
    fn run<T>(
        &mut self,
        watch: &mut dyn Watch,
        read: impl FnOnce(&mut Rounds) -> Result<T, QueueingError>,
    ) -> Result<(Option<T>, bool), QueueingError> {
        let warmup = self.model.warmup();
        if warmup == Time::ZERO {
            return Ok((None, self.run_until(self.model.until(), watch)?));
        }
        let interrupted = self.run_until(warmup, watch)?;
        let before = read(&mut self.rounds)?;
        Ok((Some(before), interrupted || self.run_until(self.model.until(), watch)?))
    }
}

impl DeviceRun for Simulation<'_> {
    type Error = QueueingError;

    fn rounds(&mut self) -> &mut Rounds {
        &mut self.rounds
    }

    fn until(&self) -> Time {
        self.model.until()
    }

    fn make_room(&mut self) -> Result<bool, QueueingError> {
        fault(self.rounds.control(), u32::MAX)?;
        Ok(false)
    }

    /// By appointments some stations are ahead of others.
    fn furthest(&mut self) -> Result<Time, QueueingError> {
        Ok(if self.by_appointments { furthest(&mut self.rounds)? } else { self.rounds.clock() })
    }
}

/// Says what fits before anything is allocated.
///
/// # Errors
/// [`DeviceError::Limit`] with what was asked, what there is and the largest torus that the adapter takes.
pub(super) fn check_limits(
    torus: TorusModel<'_>,
    synchronization: Synchronization,
    adapter: &AdapterDescription,
) -> Result<(), DeviceError> {
    let (count, tokens_each) = (torus.torus.stations(), torus.tokens_each());
    let most = adapter.capabilities.buffer_size.min(adapter.capabilities.binding_size);
    // By appointments, those that a station has published are no larger than its record and what it looks ahead.
    let record = size_of::<ShortStation>() as u64 + if synchronization == Synchronization::Window { 0 } else { SPANS };
    let tokens = size_of::<Token>() as u64 * u64::from(tokens_each);
    let each = record.max(tokens);
    let asked = u64::from(count) * each;
    if asked <= most {
        return Ok(());
    }
    let stations = most / each;
    let side = stations.isqrt();
    let tokens_each = match tokens_each {
        1 => "1 token".to_owned(),
        tokens => format!("{tokens} tokens"),
    };
    let fits = if stations > 0 {
        format!("with {tokens_each} each it takes up to {stations} stations ({side} x {side})")
    } else {
        format!("one station takes up to {} tokens", most / size_of::<Token>() as u64)
    };
    let records = if each == record { "station" } else { "token" };
    Err(DeviceError::Limit {
        what: format!("the {records} records of {} x {} stations", torus.torus.width, torus.torus.height),
        asked: crate::device::bytes(asked),
        available: crate::device::bytes(most),
        adapter: adapter.name.clone(),
        remedy: format!(": {fits}; use fewer, or --backend heap"),
    })
}
