//! Queueing networks on a device: their records, their kernels, and what their final state says; the torus.

mod records;
mod state;
mod tiles;

use std::time::Instant;

use super::{NetworkDetails, NetworkOptions, TorusModel};
use crate::device::{AdapterDescription, AdapterKind, BufferSpec, BufferUse, Device, DeviceError};
use crate::engine::{
    Control, ModelParts, ModelWords, Options, Rounds, Sizes, Stage, StageKernel, Work, first_summaries, shared_bound,
};
use crate::kernels::Mounts;
use crate::queueing::QueueingError;
use crate::random::logarithm_table;
use crate::run::{Appointments, Run, Watch, unwatched};
use crate::statistics::Outcome;
use crate::time::Time;

pub(crate) use records::{FAULT_LEVELS, FAULT_POOL, Law, NONE, OUTSIDE, Parameters, ShortStation, Station, Token};
pub(crate) use state::{State, Totals, fault};

/// What every queueing network mounts, whatever its topology.
pub(crate) fn shared_mounts() -> Mounts {
    Mounts::default()
        .with("faults", "lib/faults")
        .with("clock", "queueing/exact")
        .with("visit_clock", "queueing/exact")
        .with("precedence", "queueing/precedence")
        .with("servers", "queueing/single")
        .with("room", "queueing/single")
        .with("observation", "queueing/unobserved")
        .with("stays", "queueing/no_stays")
        .with("crowd_lists", "queueing/scattered")
        .with("crowd_decision", "engine/no_crowds")
}

/// The kernels of a topology: what it mounts decides what they do.
pub(crate) struct QueueingKernels {
    pub(crate) mounts: Mounts,
}

impl QueueingKernels {
    /// What runs before the first round, one thread a station or entity: nothing can go wrong yet, and nobody has left.
    pub(crate) fn first(&self, label: &'static str, threads: u32) -> Stage {
        let mounts = self.mounts.clone().with("faults", "lib/no_faults").with("stays", "queueing/no_stays");
        // What is sent at time 0 is for the first round, of parity 0.
        Stage::of_threads(StageKernel::new(label, &mounts).with_constants(PARITIES[1]), threads)
    }

    /// The two dispatches of a round that shares a bound.
    pub(crate) fn window(&self, crowds: u32) -> Vec<Stage> {
        let [departure, arrival] =
            ["queueing/departure", "queueing/arrival"].map(|label| StageKernel::new(label, &self.mounts));
        shared_bound(departure, arrival, crowds)
    }

    /// A pair of rounds of appointments, of one dispatch each: one reads what the other writes.
    pub(crate) fn appointments(&self, label: &'static str) -> Vec<Stage> {
        let stage = |parity| Stage {
            kernel: StageKernel::new(label, &self.mounts).with_constants(parity),
            work: Work::Blocks(0),
        };
        PARITIES.map(stage).into()
    }
}

/// The constant that tells the rounds of a pair apart.
const PARITIES: [&str; 2] = ["const PARITY: u32 = 0u;\n", "const PARITY: u32 = 1u;\n"];

/// The status of rounds of appointments: with this scale every time up to the horizon fits the word for the drift.
fn appointment_words(until: Time) -> ModelWords {
    let scale = (u64::BITS - until.ticks().leading_zeros()).saturating_sub(u32::BITS).clamp(1, 31);
    ModelWords { crowds: 0, scale }
}

/// Makes rounds of appointments of a pair of stages.
pub(crate) fn appoint(parts: &mut ModelParts, pair: Vec<Stage>, until: Time) {
    parts.rounds_each = 2;
    parts.round = pair;
    parts.words = appointment_words(until);
}

/// What rounds of appointments say of themselves, for so many stations.
pub(crate) fn appointments_of(rounds: &Rounds, stations: u64) -> Appointments {
    let Control { worked, drift, scale, .. } = *rounds.control();
    let looks = (rounds.rounds() * stations).max(1) as f64;
    Appointments { working: worked as f64 / looks, drift: Time::from_ticks(u64::from(drift) << scale) }
}

/// The buffers that every queueing network has; the record of a station takes so many bytes.
pub(crate) fn buffers(parameters: &Parameters, station: usize) -> Vec<BufferSpec> {
    let entities = u64::from(parameters.entities);
    vec![
        BufferSpec::storage("stations", parameters.stations.into(), station as u64),
        BufferSpec::storage("tokens", entities, size_of::<Token>() as u64),
        BufferSpec::storage("links", u64::from(parameters.links) + 3 * entities, 4),
        BufferSpec::filled("parameters", BufferUse::Uniform, bytemuck::bytes_of(parameters).to_vec()),
    ]
}

/// How far a round may go. Neither changes a result.
///
/// ```
/// use tickless::queueing::{Torus, gpu::Synchronization};
/// // Without a window the exponential law stays as it is, and may be as short as it likes.
/// let exact = Torus::new(8, 8).window(0.0).check()?;
/// assert_eq!(Synchronization::of(&exact), Synchronization::Appointments);
/// assert_eq!(Synchronization::of(&Torus::new(8, 8).window(1.0).check()?), Synchronization::Window);
/// // A law may have a shortest time of its own.
/// let uniform = |law: &str| Torus::new(8, 8).service(law.parse().expect("a law")).check();
/// assert_eq!(Synchronization::of(&uniform("uniform:5,15")?), Synchronization::Window);
/// assert_eq!(Synchronization::of(&uniform("uniform:0.01,20")?), Synchronization::Appointments);
/// # Ok::<(), tickless::queueing::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Synchronization {
    /// All facilities up to the earliest event and the shortest service time (Sang et al. 2019).
    Window,
    /// Each as far as its neighbours promise that nothing comes from them (Nicol 1988): needs no shortest time.
    Appointments,
    /// The same in tiles of a torus, whose stations see each other several times in a round; a network has no tiles, and its
    /// stations make their appointments one by one.
    AppointmentsInTiles,
}

/// Windows in a mean service time, with more of which appointments are faster; neither changes a result.
pub(crate) const WINDOWS: f64 = 10.0;

impl Synchronization {
    /// That of [`run`](super::run): a window where one was asked for, or where the law's shortest time makes one that is worth it;
    /// else appointments.
    pub fn of(model: &TorusModel) -> Self {
        let few_rounds = model.lookahead().units() * WINDOWS >= model.service().mean();
        let has_window = model.law().offset > 0 && (model.shift().is_some() || few_rounds);
        if has_window { Self::Window } else { Self::Appointments }
    }

    /// That of [`run`](super::run) on an adapter: appointments are made in tiles, which spare launches and memory, but on a software
    /// adapter, which pays for every barrier of every thread.
    pub fn on(model: &TorusModel, adapter: &AdapterDescription) -> Self {
        match Self::of(model) {
            Self::Appointments if adapter.kind != AdapterKind::Software => Self::AppointmentsInTiles,
            other => other,
        }
    }
}

/// The kernels and buffers of a torus.
///
/// # Errors
/// Sizes that no kernel can be made with.
pub fn parts(
    model: &TorusModel,
    synchronization: Synchronization,
    adapter: &AdapterDescription,
    options: &Options,
) -> Result<ModelParts, DeviceError> {
    match synchronization {
        Synchronization::Window => {
            let (kernels, mut parts) = torus(model, 1, Sizes::selecting(model.tokens(), adapter, options)?);
            parts.first.push(first_summaries());
            parts.round = kernels.window(0);
            Ok(parts)
        }
        Synchronization::Appointments => appointed(model, adapter, options),
        Synchronization::AppointmentsInTiles => tiles::parts(model, adapter, options),
    }
}

/// Bytes of a facility for how far it looks ahead.
const SPANS: u64 = 48;

fn appointed(model: &TorusModel, adapter: &AdapterDescription, options: &Options) -> Result<ModelParts, DeviceError> {
    let facilities = model.facilities();
    let (kernels, mut parts) = torus(model, 4, Sizes::selecting(facilities, adapter, options)?);
    parts.first.push(kernels.first("queueing/initialize_appointments", facilities));
    appoint(&mut parts, kernels.appointments("queueing/appoint"), model.until());
    for stations in parts.buffers.iter_mut().filter(|buffer| buffer.name == "stations") {
        stations.size += u64::from(facilities) * SPANS;
    }
    parts.buffers.push(BufferSpec::storage("appointments", 8 * u64::from(facilities), 8));
    Ok(parts)
}

/// With so many words of links for each station before those of the entities.
fn torus(model: &TorusModel, words: u32, sizes: Sizes) -> (QueueingKernels, ModelParts) {
    let parameters = Parameters {
        key: model.key().bits(),
        until: model.until().ticks(),
        stations: model.facilities(),
        entities: model.tokens(),
        cells: 0,
        cell: 1,
        links: words * model.facilities(),
        unused: 0,
    };
    let torus = records::Torus {
        width: model.width(),
        height: model.height(),
        tokens_each: model.tokens_each(),
        unused: 0,
        law: model.law().into(),
    };
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
        first: vec![kernels.first("queueing/initialize_stations", model.facilities())],
        round: vec![],
        rounds_each: 1,
        words: ModelWords::default(),
        last: vec![],
    };
    (kernels, parts)
}

/// Runs the model on a device.
pub(super) fn run(
    model: &TorusModel,
    device: &dyn Device,
    options: &NetworkOptions,
    watch: &mut dyn Watch,
) -> Result<Run<Outcome, NetworkDetails>, QueueingError> {
    let synchronization = options.synchronization.unwrap_or_else(|| Synchronization::on(model, device.adapter()));
    let options = &options.rounds;
    if synchronization == Synchronization::Window && model.law().offset == 0 {
        return Err(QueueingError::NoLookahead);
    }
    let by_appointments = synchronization != Synchronization::Window;
    let in_tiles = synchronization == Synchronization::AppointmentsInTiles;
    check_limits(model, synchronization, device.adapter())?;
    let started = Instant::now();
    let mut rounds = Rounds::start(device, parts(model, synchronization, device.adapter(), options)?, options)?;
    let setup = started.elapsed();
    let mut run_until = |rounds: &mut Rounds, limit| {
        let interrupted = rounds.run_until(limit, model.until(), watch)?;
        if interrupted && by_appointments {
            catch_up(rounds, model, limit)?;
        }
        Ok::<bool, QueueingError>(interrupted)
    };
    let initial = |_| model.tokens_each();
    let mut before = None;
    let mut interrupted = false;
    if model.warmup() > Time::ZERO {
        interrupted = run_until(&mut rounds, model.warmup())?;
        fault(rounds.control(), u32::MAX)?;
        before = Some(State::of_torus(&mut rounds, model, in_tiles)?.totals(initial));
    }
    if !interrupted {
        interrupted = run_until(&mut rounds, model.until())?;
    }
    let clock = Time::from_ticks(rounds.control().bound);
    fault(rounds.control(), u32::MAX)?;
    let state = State::of_torus(&mut rounds, model, in_tiles)?;
    let totals = state.totals(initial);
    let outcome = state.outcome(0..model.facilities() as usize, &totals, before.as_deref(), model.warmup())?;
    let appointments = by_appointments.then(|| appointments_of(&rounds, model.facilities().into()));
    let control = rounds.control();
    Ok(Run {
        outcome,
        events: control.events,
        rounds: Some(rounds.rounds()),
        clock,
        wall: rounds.wall(),
        device: rounds.device(),
        timings: rounds.timings(),
        setup,
        interrupted,
        details: NetworkDetails { completions: control.events, appointments },
    })
}

/// By appointments some facilities are ahead of others: these catch up, so that every event before the bound has happened
/// and none after it.
fn catch_up(rounds: &mut Rounds, model: &TorusModel, limit: Time) -> Result<(), QueueingError> {
    let clock = limit.min(furthest(rounds)?);
    rounds.run_until(clock, model.until(), &mut unwatched())?;
    Ok(())
}

/// The first time after every arrival that has been decided and left a record.
pub(crate) fn furthest(rounds: &mut Rounds) -> Result<Time, DeviceError> {
    let tokens: Vec<Token> = rounds.read("tokens")?;
    let furthest = tokens.iter().filter(|token| token.station != NONE).map(|token| token.arrived).max();
    Ok(Time::from_ticks(furthest.map_or(0, |time| time + 1)))
}

/// Says what fits before anything is allocated.
///
/// # Errors
/// [`DeviceError::Limit`] with what was asked, what there is and the largest torus that the adapter takes.
pub fn check_limits(
    model: &TorusModel,
    synchronization: Synchronization,
    adapter: &AdapterDescription,
) -> Result<(), DeviceError> {
    let most = adapter.capabilities.buffer_size.min(adapter.capabilities.binding_size);
    // By appointments, those that a facility has published are no larger than its record and what it looks ahead.
    let record = size_of::<ShortStation>() as u64 + if synchronization == Synchronization::Window { 0 } else { SPANS };
    let tokens = size_of::<Token>() as u64 * u64::from(model.tokens_each());
    let each = record.max(tokens);
    let asked = u64::from(model.facilities()) * each;
    if asked <= most {
        return Ok(());
    }
    let facilities = most / each;
    let side = facilities.isqrt();
    let tokens_each = match model.tokens_each() {
        1 => "1 token".to_owned(),
        tokens => format!("{tokens} tokens"),
    };
    let fits = if facilities > 0 {
        format!("with {tokens_each} each it takes up to {facilities} facilities (side {side})")
    } else {
        format!("one facility takes up to {} tokens", most / size_of::<Token>() as u64)
    };
    let records = if each == record { "facility" } else { "token" };
    Err(DeviceError::Limit {
        what: format!("the {records} records of {} x {} facilities", model.width(), model.height()),
        asked: crate::device::bytes(asked),
        available: crate::device::bytes(most),
        adapter: adapter.name.clone(),
        remedy: format!(": {fits}; use fewer, or --backend heap"),
    })
}

#[cfg(test)]
mod tests;
