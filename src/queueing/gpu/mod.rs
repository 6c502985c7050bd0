//! Queueing networks on a device: their records, their kernels, and what their final state says; the torus.

mod records;
mod state;
mod tiles;

use std::time::Instant;

use super::{NetworkDetails, TorusModel};
use crate::device::{AdapterDescription, BufferSpec, BufferUse, Device, DeviceError};
use crate::engine::{FirstKernel, ModelParts, Options, Rounds, StageKernel, Steps, library};
use crate::queueing::QueueingError;
use crate::random::logarithm_table;
use crate::run::{Run, Watch, unwatched};
use crate::statistics::Outcome;
use crate::time::Time;

pub(crate) use records::{FAULT_LEVELS, FAULT_POOL, Law, NONE, OUTSIDE, Parameters, ShortStation, Station, Token};
pub(crate) use state::{State, Totals, fault};

macro_rules! shader {
    ($stem:literal) => {
        include_str!(concat!("../../../shaders/queueing/", $stem, ".wgsl"))
    };
}

/// What a topology adds to the kernels that all queueing networks share, each a list of files.
pub(crate) struct Topology {
    /// Edges, laws and streams.
    pub(crate) edges: Vec<&'static str>,
    /// Where an imminent entity arrives.
    pub(crate) destination: &'static str,
    /// The edges that appointments are made for, and where these lie; nothing where none are made.
    pub(crate) appointments: Vec<&'static str>,
    /// What is particular in how a visit is decided by appointments.
    pub(crate) turn: Vec<&'static str>,
    /// Where crowds arrive, and how they are put together.
    pub(crate) crowds: &'static str,
    /// When events happen.
    pub(crate) clock: Clock,
    /// Servers and room.
    pub(crate) servers: Vec<&'static str>,
    /// What is recorded of visits beside the sums.
    pub(crate) observing: Vec<&'static str>,
    /// What is recorded of tokens that leave: by arrivals, and at time 0.
    pub(crate) leaving: [&'static str; 2],
    /// What comes in and goes out, and how inboxes are put in order.
    pub(crate) admission: Vec<&'static str>,
}

/// How time runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    Exact,
    /// For networks, whose annex keeps original times.
    Approximate,
}

impl Clock {
    /// The files of a kernel that schedules events.
    pub(crate) fn events(self) -> &'static [&'static str] {
        match self {
            Self::Exact => &[shader!("exact")],
            Self::Approximate => &[library::INTERVAL, shader!("approximate")],
        }
    }

    /// What one that decides visits has beside these.
    fn visits(self) -> &'static [&'static str] {
        match self {
            Self::Exact => &[],
            Self::Approximate => &[shader!("approximate_visit")],
        }
    }

    /// The order of two arrivals.
    fn precedence(self) -> &'static str {
        match self {
            Self::Exact => shader!("precedence"),
            Self::Approximate => shader!("precedence_approximate"),
        }
    }
}

impl Topology {
    /// The files of a kernel that decides visits.
    pub(crate) fn visiting(&self, kernel: &[&'static str]) -> Vec<&'static str> {
        let visit = [library::SERVICE, shader!("station"), shader!("visit")];
        let (events, visits) = (self.clock.events(), self.clock.visits());
        [&self.drawing(&visit), events, visits, &self.servers[..], &self.observing[..], kernel].concat()
    }

    /// The files of a kernel that knows the topology.
    pub(crate) fn drawing(&self, kernel: &[&'static str]) -> Vec<&'static str> {
        let shared = [library::PCG32, library::STREAM, library::LAW, shader!("records")];
        [&shared, &self.edges[..], kernel].concat()
    }

    /// Step 4.
    fn departure(&self) -> StageKernel {
        let sources = self.drawing(&[self.destination, self.crowds, shader!("links"), shader!("departure")]);
        StageKernel { label: "queueing/departure", sources }
    }

    /// Step 5.
    fn arrival(&self) -> StageKernel {
        let order = [shader!("comes_from"), shader!("order"), self.clock.precedence()];
        let kernel =
            [&self.admission[..], &[self.leaving[0], shader!("links")], &order, &[shader!("arrival")]].concat();
        StageKernel { label: "queueing/arrival", sources: self.visiting(&kernel) }
    }

    /// Both.
    pub(crate) fn window(&self, crowds: u32) -> Steps {
        Steps::Window { departure: self.departure(), arrival: self.arrival(), crowds }
    }

    /// A whole round of appointments.
    pub(crate) fn appointed(&self) -> StageKernel {
        let own = [shader!("appointments"), shader!("turn"), shader!("appoint_round"), shader!("appoint")];
        let kernel = [&self.appointing(self.leaving[0]), &self.turn[..], &own].concat();
        StageKernel { label: "queueing/appoint", sources: self.visiting(&kernel) }
    }

    /// The appointments at time 0.
    pub(crate) fn first_appointments(&self, stations: u32) -> FirstKernel {
        let kernel = [self.appointing(self.leaving[1]), vec![shader!("initialize_appointments")]].concat();
        FirstKernel { label: "queueing/initialize_appointments", sources: self.visiting(&kernel), threads: stations }
    }

    /// What both have.
    fn appointing(&self, leaving: &'static str) -> Vec<&'static str> {
        let lists = [shader!("links"), shader!("comes_from"), self.clock.precedence(), shader!("skew_heap")];
        let ahead = [leaving, shader!("later"), shader!("look_ahead")];
        [&self.appointments[..], &lists, &ahead].concat()
    }

    /// The visits at time 0.
    pub(crate) fn first(&self, stations: u32) -> FirstKernel {
        let sources = self.visiting(&[self.leaving[1], shader!("initialize_stations")]);
        FirstKernel { label: "queueing/initialize_stations", sources, threads: stations }
    }
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
}

/// Windows in a mean service time, with more of which appointments are faster; neither changes a result.
pub(crate) const WINDOWS: f64 = 10.0;

impl Synchronization {
    /// That of [`simulate`]: a window where one was asked for, or where the law's shortest time makes one that is worth it;
    /// else appointments.
    pub fn of(model: &TorusModel) -> Self {
        let few_rounds = model.lookahead().units() * WINDOWS >= model.service().mean();
        let has_window = model.law().offset > 0 && (model.shift().is_some() || few_rounds);
        if has_window { Self::Window } else { Self::Appointments }
    }
}

/// The kernels and buffers of a torus; appointments may be made in tiles, see [`Options::tiles`].
pub fn parts(model: &TorusModel, synchronization: Synchronization, in_tiles: bool) -> ModelParts {
    match synchronization {
        Synchronization::Window => torus(model, 1).1,
        Synchronization::Appointments if in_tiles => tiles::parts(model),
        Synchronization::Appointments => appointed(model),
    }
}

/// Bytes of a facility for how far it looks ahead.
const SPANS: u64 = 48;

fn appointed(model: &TorusModel) -> ModelParts {
    let (topology, mut parts) = torus(model, 4);
    let facilities = model.facilities();
    parts.first.push(topology.first_appointments(facilities));
    parts.steps = Steps::Appointments { round: topology.appointed(), threads: facilities };
    for stations in parts.buffers.iter_mut().filter(|buffer| buffer.name == "stations") {
        stations.size += u64::from(facilities) * SPANS;
    }
    parts.buffers.push(BufferSpec::storage("appointments", 8 * u64::from(facilities), 8));
    parts
}

/// With so many words of links for each station before those of the entities.
fn torus(model: &TorusModel, words: u32) -> (Topology, ModelParts) {
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
    let topology = Topology {
        edges: vec![shader!("torus")],
        destination: shader!("torus_destination"),
        appointments: vec![shader!("torus_appointments")],
        turn: vec![shader!("torus_turn")],
        crowds: shader!("scattered"),
        clock: Clock::Exact,
        servers: vec![library::LOGARITHMS, shader!("single"), shader!("station_short")],
        observing: vec![shader!("unobserved")],
        leaving: [shader!("no_stays"); 2],
        admission: vec![shader!("closed"), shader!("order_few")],
    };
    let mut buffers = buffers(&parameters, size_of::<ShortStation>());
    buffers.push(BufferSpec::filled("torus", BufferUse::Uniform, bytemuck::bytes_of(&torus).to_vec()));
    let table = bytemuck::cast_slice(logarithm_table()).to_vec();
    buffers.push(BufferSpec::filled("logarithms", BufferUse::Storage, table));
    let parts = ModelParts {
        label: "torus",
        entities: model.tokens(),
        lookahead: model.lookahead(),
        buffers,
        first: vec![topology.first(model.facilities())],
        steps: topology.window(0),
        last: vec![],
    };
    (topology, parts)
}

/// Runs the model on a device: in rounds that share a bound where the law has a shortest service time, else by
/// appointments.
///
/// # Errors
/// A model that exceeds the adapter's limits (said before anything is allocated), and what
/// can go wrong on a device.
///
/// ```no_run
/// use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
/// use tickless::{engine::Options, queueing::{Torus, gpu}, run::unwatched};
/// let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
/// let run = gpu::simulate(&Torus::new(64, 64).check()?, &device, &Options::default(), &mut unwatched())?;
/// println!("{}", run.outcome.digest());
/// # Ok::<(), tickless::RunError>(())
/// ```
pub fn simulate(
    model: &TorusModel,
    device: &dyn Device,
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<Run<Outcome, NetworkDetails>, QueueingError> {
    simulate_by(Synchronization::of(model), model, device, options, watch)
}

/// As [`simulate`], with a synchronization of one's own.
///
/// # Errors
/// As [`simulate`], and [`QueueingError::NoLookahead`] of a window where the law has no shortest time.
pub fn simulate_by(
    synchronization: Synchronization,
    model: &TorusModel,
    device: &dyn Device,
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<Run<Outcome, NetworkDetails>, QueueingError> {
    if synchronization == Synchronization::Window && model.law().offset == 0 {
        return Err(QueueingError::NoLookahead);
    }
    let by_appointments = synchronization == Synchronization::Appointments;
    let in_tiles = by_appointments && options.in_tiles(device.adapter());
    check_limits(model, synchronization, device.adapter())?;
    let started = Instant::now();
    let mut rounds = Rounds::start(device, parts(model, synchronization, in_tiles), options)?;
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
    let (control, appointments) = (rounds.control(), rounds.appointments(model.facilities().into()));
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
    let record =
        size_of::<ShortStation>() as u64 + if synchronization == Synchronization::Appointments { SPANS } else { 0 };
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
