//! A torus on a device: its edges are computed, its records short.

mod tiles;

use std::time::Instant;

use super::kernels::{QueueingKernels, appoint, appointments_of, buffers, furthest, shared_mounts};
use super::records::{self, Parameters, ShortStation, Token};
use super::state::{State, fault};
use super::synchronization::Synchronization;
use crate::device::{AdapterDescription, BufferSpec, BufferUse, Device, DeviceError};
use crate::engine::{DeviceRun, ModelParts, ModelWords, Options, Rounds, Sizes, first_summaries};
use crate::queueing::torus::Torus;
use crate::queueing::{NetworkDetails, NetworkModel, NetworkOutcome, QueueingError};
use crate::random::{EffectiveLaw, StreamKey, logarithm_table};
use crate::run::{Run, Watch};
use crate::time::Time;

pub(super) use tiles::AHEAD;

/// A replication of a model whose stations lie on a torus.
#[derive(Clone, Copy)]
pub(super) struct TorusModel<'a> {
    pub(super) model: &'a NetworkModel,
    pub(super) torus: Torus,
    pub(super) replication: u32,
}

impl TorusModel<'_> {
    pub(super) fn key(self) -> StreamKey {
        self.model.key(self.replication)
    }

    /// The law of every station.
    pub(super) fn law(&self) -> &EffectiveLaw {
        self.model.law(0)
    }

    fn tokens_each(self) -> u32 {
        self.model.tokens_at(0)
    }
}

/// The kernels and buffers.
///
/// # Errors
/// Sizes that no kernel can be made with.
pub(super) fn parts(
    torus: TorusModel<'_>,
    synchronization: Synchronization,
    adapter: &AdapterDescription,
    options: &Options,
) -> Result<ModelParts, DeviceError> {
    match synchronization {
        Synchronization::Window => {
            let (kernels, mut parts) = shared(torus, 1, Sizes::selecting(torus.model.tokens(), adapter, options)?);
            parts.first.push(first_summaries());
            parts.round = kernels.window(0);
            Ok(parts)
        }
        Synchronization::Appointments => appointed(torus, adapter, options),
        Synchronization::AppointmentsInTiles => tiles::parts(torus, adapter, options),
    }
}

/// Bytes of a station for how far it looks ahead.
const SPANS: u64 = 48;

fn appointed(
    torus: TorusModel<'_>,
    adapter: &AdapterDescription,
    options: &Options,
) -> Result<ModelParts, DeviceError> {
    let count = torus.torus.stations();
    let (kernels, mut parts) = shared(torus, 4, Sizes::selecting(count, adapter, options)?);
    parts.first.push(kernels.first("queueing/initialize_appointments", count));
    appoint(&mut parts, kernels.appointments("queueing/appoint"), torus.model.until());
    for stations in parts.buffers.iter_mut().filter(|buffer| buffer.name == "stations") {
        stations.size += u64::from(count) * SPANS;
    }
    parts.buffers.push(BufferSpec::storage("appointments", 8 * u64::from(count), 8));
    Ok(parts)
}

/// What all three have, with so many words of links for each station before those of the entities.
fn shared(torus: TorusModel<'_>, words: u32, sizes: Sizes) -> (QueueingKernels, ModelParts) {
    let TorusModel { model, torus: Torus { width, height }, .. } = torus;
    let parameters = Parameters {
        key: torus.key().bits(),
        until: model.until().ticks(),
        stations: model.stations(),
        entities: model.tokens(),
        cells: 0,
        cell: 1,
        links: words * model.stations(),
        unused: 0,
    };
    let (tokens_each, law) = (torus.tokens_each(), torus.law().into());
    let torus = records::Torus { width, height, tokens_each, unused: 0, law };
    let mounts = shared_mounts()
        .with("topology", "queueing/torus")
        .with("destinations", "queueing/torus_destination")
        .with("edges", "queueing/torus_appointments")
        .with("appointed_start", "queueing/torus_appointments")
        .with("answers", "queueing/torus_turn")
        .with("logarithm_rows", "lib/logarithms")
        .with("station_record", "queueing/station_short")
        .with("exits", "queueing/torus")
        .with("leaving", "queueing/closed")
        .with("admission", "queueing/closed")
        .with("inbox_order", "queueing/order_few");
    let kernels = QueueingKernels { mounts };
    let mut buffers = buffers(&parameters, size_of::<ShortStation>());
    buffers.push(BufferSpec::filled("torus", BufferUse::Uniform, bytemuck::bytes_of(&torus).to_vec()));
    let table = bytemuck::cast_slice(logarithm_table()).to_vec();
    buffers.push(BufferSpec::filled("logarithms", BufferUse::Storage, table));
    let parts = ModelParts {
        label: "torus",
        entities: model.tokens(),
        lookahead: model.lookahead(),
        buffers,
        sizes,
        first: vec![kernels.first("queueing/initialize_stations", model.stations())],
        round: vec![],
        rounds_each: 1,
        words: ModelWords::default(),
        last: vec![],
    };
    (kernels, parts)
}

/// Runs the replication.
pub(super) fn run(
    torus: TorusModel<'_>,
    synchronization: Synchronization,
    device: &dyn Device,
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<Run<Vec<NetworkOutcome>, NetworkDetails>, QueueingError> {
    let TorusModel { model, .. } = torus;
    let by_appointments = synchronization != Synchronization::Window;
    let in_tiles = synchronization == Synchronization::AppointmentsInTiles;
    check_limits(torus, synchronization, device.adapter())?;
    let started = Instant::now();
    let rounds = Rounds::start(device, parts(torus, synchronization, device.adapter(), options)?, options)?;
    let mut simulation = Simulation { model, by_appointments, rounds };
    let setup = started.elapsed();
    let initial = |_| torus.tokens_each();
    let (mut before, mut interrupted) = (None, false);
    if model.warmup() > Time::ZERO {
        interrupted = simulation.run_until(model.warmup(), watch)?;
        before = Some(State::of_torus(&mut simulation.rounds, torus, in_tiles)?.totals(initial));
    }
    if !interrupted {
        interrupted = simulation.run_until(model.until(), watch)?;
    }
    let mut rounds = simulation.rounds;
    let state = State::of_torus(&mut rounds, torus, in_tiles)?;
    let totals = state.totals(initial);
    let stations = state.outcome(0..model.stations() as usize, &totals, before.as_deref(), model.warmup())?;
    let appointments = by_appointments.then(|| appointments_of(&rounds, model.stations().into()));
    let details = NetworkDetails { completions: rounds.control().events, appointments };
    Ok(rounds.run(setup, interrupted, vec![NetworkOutcome::closed(stations, model.tokens().into())], details))
}

/// A torus at work.
struct Simulation<'a> {
    model: &'a NetworkModel,
    by_appointments: bool,
    rounds: Rounds,
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
        format!("with {tokens_each} each it takes up to {stations} stations (side {side})")
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
