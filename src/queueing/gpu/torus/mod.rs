//! A torus on a device: its edges are computed, its records short.

mod model;
mod parts;
mod restoration;
mod state;
mod tiles;
mod totals;

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Ends;
use super::kernels::{appointments_of, furthest};
use super::records::{ShortStation, Token};
use super::state::{Totals, fault, made_of};
use crate::checkpoint::{End, State};
use crate::options::Synchronization;
use crate::{NetworkDetails, NetworkModel, NetworkOptions, NetworkOutcome, QueueingError};
use parts::SPANS;
use tickless_core::memory;
use tickless_core::run::{Run, RunMode, SnapshotWatch, Watch};
use tickless_core::time::Time;
use tickless_device::{AdapterDescription, Device, DeviceError};
use tickless_engine::{DeviceRun, ModelParts, Rounds};
use totals::TorusTotals;

use self::state::Records;
pub(super) use self::state::read_state;
pub(super) use model::TorusModel;

/// The kernels and buffers.
///
/// # Errors
/// Sizes for which no kernel can be made.
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

/// Whether the time of all tokens at the stations, from time 0 on, passes 64 bits for each: then a sum of some station does.
pub(super) fn is_long(model: &NetworkModel) -> bool {
    u128::from(model.tokens_at(0)) * u128::from(model.until().ticks()) > u64::MAX.into()
}

/// Runs the replication.
///
/// # Errors
/// [`QueueingError::Overflow`] where a sum of a station passes 64 bits.
pub(super) fn run(
    torus: TorusModel<'_>,
    synchronization: Synchronization,
    device: &dyn Device,
    options: &NetworkOptions,
    mode: RunMode<'_, [State]>,
    watch: &mut dyn SnapshotWatch<Ends>,
) -> Result<Run<Vec<End>, NetworkDetails>, QueueingError> {
    check_limits(torus, synchronization, device.adapter())?;
    let started = Instant::now();
    let mut parts = parts(torus, synchronization, device.adapter(), options)?;
    let rounds = match mode.from.and_then(|states| states.first()) {
        None => Rounds::start(device, parts, &options.rounds, watch)?,
        Some(state) => {
            let next_event = restoration::restore(&mut parts, torus, state)?;
            Rounds::start_from(device, parts, &next_event, &options.rounds, watch)?
        }
    };
    let simulation = Simulation {
        torus,
        by_appointments: synchronization != Synchronization::Window,
        in_tiles: synchronization == Synchronization::AppointmentsInTiles,
        rounds,
        setup: started.elapsed(),
    };
    if options.figures_only { simulation.figures(watch) } else { simulation.records(mode.keeps(), watch) }
}

/// A running torus.
struct Simulation<'a> {
    torus: TorusModel<'a>,
    by_appointments: bool,
    in_tiles: bool,
    rounds: Rounds,
    setup: Duration,
}

impl Simulation<'_> {
    /// Runs to the horizon, or until the watch ends it, and adds up the totals on the device.
    fn figures(mut self, watch: &mut dyn Watch) -> Result<Run<Vec<End>, NetworkDetails>, QueueingError> {
        let (torus, model) = (self.torus, self.torus.model);
        let (mut before, mut interrupted) = (None, false);
        if model.warmup() > Time::ZERO {
            interrupted = self.run_until(model.warmup(), watch)?;
            before = Some(TorusTotals::read(&mut self.rounds, torus)?);
        }
        interrupted = interrupted || self.run_until(model.until(), watch)?;
        let stations = totals::outcome(&mut self.rounds, torus, self.in_tiles, before.as_ref())?;
        let outcome = NetworkOutcome::closed(stations, model.tokens().into());
        Ok(self.ended(interrupted).map(|()| vec![End { outcome, state: None }]))
    }

    /// The same with the records of all stations, and with the state of the torus where another run is to resume.
    fn records(
        mut self,
        keeps: bool,
        watch: &mut dyn SnapshotWatch<Ends>,
    ) -> Result<Run<Vec<End>, NetworkDetails>, QueueingError> {
        let (torus, model) = (self.torus, self.torus.model);
        let (mut before, mut interrupted) = (None, false);
        if model.warmup() > Time::ZERO {
            interrupted = self.run_with_snapshots(model.warmup(), watch, |own| own.snapshot(None))?;
            if !interrupted {
                let state = read_state(&mut self.rounds, torus, self.in_tiles)?;
                before = Some(Arc::new(state.totals(|_| torus.tokens_each())));
            }
        }
        if !interrupted {
            interrupted = self.run_with_snapshots(model.until(), watch, |own| own.snapshot(before.as_ref()))?;
        }
        watch.settle();
        let records = Records::read(&mut self.rounds, torus, self.in_tiles)?;
        let end = records.end(torus, before.as_ref().map(|totals| &totals[..]), keeps && interrupted)?;
        Ok(self.ended(interrupted).map(|()| vec![end]))
    }

    /// Copies the state, if there is memory for the copy and for the results from it.
    fn snapshot(&mut self, before: Option<&Arc<Vec<Totals>>>) -> Result<Option<Ends>, QueueingError> {
        let TorusModel { model, torus, replication } = self.torus;
        let state = State::bytes_of(model.stations() as usize, model.tokens() as usize);
        let bytes = Records::bytes(self.torus, self.in_tiles) + made_of(model.stations(), model.tokens()) + state;
        if memory::room_of(bytes, "a snapshot of the torus").is_err() {
            return Ok(None);
        }
        let records = Records::read(&mut self.rounds, self.torus, self.in_tiles)?;
        let (run, before, model) = (self.ended(true), before.cloned(), model.clone());
        Ok(Some(Box::new(move || {
            let torus = TorusModel { model: &model, torus, replication };
            let end = records.end(torus, before.as_ref().map(|totals| &totals[..]), true)?;
            Ok(run.map(|()| vec![end]))
        })))
    }

    /// The counts of the run.
    fn ended(&self, interrupted: bool) -> Run<(), NetworkDetails> {
        let stations = self.torus.model.stations();
        let appointments = self.by_appointments.then(|| appointments_of(&self.rounds, stations.into()));
        let details = NetworkDetails { completions: self.rounds.control().events, appointments };
        self.rounds.run(self.setup, interrupted, (), details)
    }
}

impl DeviceRun for Simulation<'_> {
    type Error = QueueingError;

    fn rounds(&mut self) -> &mut Rounds {
        &mut self.rounds
    }

    fn until(&self) -> Time {
        self.torus.model.until()
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

/// Checks that everything fits before anything is allocated.
///
/// # Errors
/// [`DeviceError::Limit`] with the request, the limit and the largest torus that the adapter takes.
pub(super) fn check_limits(
    torus: TorusModel<'_>,
    synchronization: Synchronization,
    adapter: &AdapterDescription,
) -> Result<(), DeviceError> {
    let (count, tokens_each) = (torus.torus.stations(), torus.tokens_each());
    let most = adapter.capabilities.buffer_size.min(adapter.capabilities.binding_size);
    // By appointments, the published words of a station are no larger than its record and its spans ahead.
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
        asked: tickless_device::bytes(asked),
        available: tickless_device::bytes(most),
        adapter: adapter.name.clone(),
        remedy: format!(": {fits}; use fewer, or --backend heap"),
    })
}
