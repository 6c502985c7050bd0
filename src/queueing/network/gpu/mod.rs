//! Networks on a device: one run, or many replications at once as one large network without connections.

mod approximation;
mod layout;
mod state;

use std::ops::Range;
use std::time::Instant;

use super::{NetworkModel, NetworkOutcome, NetworkRun};
use crate::device::{BufferSpec, BufferUse, Device, DeviceError};
use crate::engine::{FirstKernel, ModelParts, Options, Rounds, library};
use crate::error::RunError;
use crate::queueing::gpu::{Clock, FAULT_POOL, Station, Topology, buffers};
use crate::run::Watch;
use crate::time::Time;
use layout::Layout;
use state::{NetworkState, Sums};

macro_rules! shader {
    ($stem:literal) => {
        include_str!(concat!("../../../../shaders/queueing/", $stem, ".wgsl"))
    };
}

/// Tokens that a station's sources may send in a round, in the mean: a round stays short where nothing else bounds it.
const BURST: f64 = 1024.0;
/// The furthest that a round goes, in ticks: with the latest time still within 64 bits.
const FURTHEST: u64 = 1 << 62;

/// Runs the network on a device.
///
/// # Errors
/// A model without lookahead, one that exceeds the adapter's limits (said before anything is
/// allocated), and what can go wrong on a device.
///
/// ```no_run
/// use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
/// use tickless::queueing::network::{Network, gpu};
/// use tickless::{engine::Options, run::unwatched};
/// let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
/// let model = Network::from_toml(&std::fs::read_to_string("examples/networks/clinic.toml")?)?.check()?;
/// println!("{}", gpu::simulate(&model, &device, &Options::default(), &mut unwatched())?.outcome.digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn simulate(
    model: &NetworkModel,
    device: &dyn Device,
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<NetworkRun, RunError> {
    let run = replicate(model, 0..1, device, options, watch)?;
    Ok(run.with(|mut outcomes| outcomes.swap_remove(0)))
}

/// Runs some replications of the network at once.
///
/// # Errors
/// As for [`simulate`].
///
/// # Panics
/// Without a replication.
pub fn replicate(
    model: &NetworkModel,
    replications: Range<u32>,
    device: &dyn Device,
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<NetworkRun<Vec<NetworkOutcome>>, RunError> {
    replicate_within(model, replications, u64::MAX, device, options, watch)
}

/// As [`replicate`], with at most so many places for tokens, over all replications.
///
/// What a run begins with is always allowed: the tokens at time 0 and, for each source, 11 to 95 places. The pool doubles
/// when it runs out, the last time up to the limit. Parts of it belong to sources, so a few places may be left free.
///
/// # Errors
/// As for [`simulate`], and [`RunError::Tokens`] where the places do not suffice.
///
/// # Panics
/// Without a replication.
pub fn replicate_within(
    model: &NetworkModel,
    replications: Range<u32>,
    most_tokens: u64,
    device: &dyn Device,
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<NetworkRun<Vec<NetworkOutcome>>, RunError> {
    assert!(!replications.is_empty(), "no replication to run");
    if model.lookahead() == Time::ZERO {
        return Err(RunError::NoLookahead);
    }
    let started = Instant::now();
    let mut simulation = Simulation::start(model, replications, most_tokens, device, options)?;
    let setup = started.elapsed();
    let mut before = None;
    let mut interrupted = false;
    if model.warmup() > Time::ZERO {
        interrupted = simulation.run_until(model.warmup(), watch)?;
        before = Some(simulation.sums()?.1);
    }
    if !interrupted {
        interrupted = simulation.run_until(model.until(), watch)?;
    }
    let (state, sums) = simulation.sums()?;
    // An interrupted warm-up has measured nothing, and counts from there.
    let outcome = state.outcomes(model, &sums, before.as_ref())?;
    let rounds = &simulation.rounds;
    Ok(NetworkRun {
        outcome,
        events: sums.sent() + sums.completions(),
        completions: sums.completions(),
        rounds: Some(rounds.rounds()),
        clock: state.time(),
        wall: rounds.wall(),
        device: rounds.device(),
        setup,
        interrupted,
    })
}

/// The kernels and buffers of replications of a network, before anything has happened.
///
/// # Errors
/// A network that 32 bits cannot number.
pub fn parts(model: &NetworkModel, replications: Range<u32>) -> Result<ModelParts, DeviceError> {
    let chunks = first_chunks(model, &replications);
    Ok(parts_of(model, &Layout::new(model, replications, chunks)?))
}

/// Chunks of the pool to begin with, beside the cells of the sources.
fn first_chunks(model: &NetworkModel, replications: &Range<u32>) -> u64 {
    (replications.len() as u64 * u64::from(model.sources())).div_ceil(8)
}

/// Events that a round of one replication holds in the mean, at most: every server at work, or every token.
pub fn events_per_round(model: &NetworkModel) -> f64 {
    model.events_per_unit() * lookahead(model).units()
}

fn parts_of(model: &NetworkModel, layout: &Layout) -> ModelParts {
    let Layout { parameters, places, structure, annex, approximation, .. } = layout;
    let (clock, servers) = match approximation {
        Some(_) => (Clock::Approximate, shader!("servers_approximate")),
        None if layout.single => (Clock::Exact, shader!("single")),
        None => (Clock::Exact, shader!("servers")),
    };
    let mut admission = vec![shader!("open"), shader!("pool"), shader!("order_many")];
    if places.crowds_all > 0 {
        let decided = [shader!("crowds"), shader!("crowd"), shader!("crowd_order"), shader!("crowd_servers")];
        admission.extend(decided);
        admission.push(library::JUMP);
    }
    let topology = Topology {
        edges: vec![shader!("network")],
        destination: shader!("network_destination"),
        crowds: if places.crowds_all > 0 { shader!("crowds") } else { shader!("scattered") },
        clock,
        servers: vec![shader!("exits"), servers, shader!("station_full")],
        admission,
    };
    let mut buffers = buffers(parameters, size_of::<Station>());
    for links in buffers.iter_mut().filter(|buffer| buffer.name == "links") {
        links.size += 4 * u64::from(places.scratch_size + u32::from(places.crowds_all > 0));
    }
    buffers.push(BufferSpec::filled("places", BufferUse::Uniform, bytemuck::bytes_of(places).to_vec()));
    buffers.push(BufferSpec::filled("structure", BufferUse::Storage, bytemuck::cast_slice(structure).to_vec()));
    buffers.push(BufferSpec::storage("annex", *annex, 8));
    if let Some(approximation) = approximation {
        let contents = bytemuck::bytes_of(approximation).to_vec();
        buffers.push(BufferSpec::filled("approximation", BufferUse::Uniform, contents));
    }
    let first = FirstKernel {
        label: "queueing/initialize_sources",
        sources: topology.drawing(
            &[&[library::SERVICE, shader!("links")], clock.events(), &[shader!("initialize_sources")]].concat(),
        ),
        threads: parameters.entities,
    };
    ModelParts {
        label: "network",
        entities: parameters.entities,
        lookahead: lookahead(model),
        buffers,
        first: vec![first, topology.first(parameters.stations)],
        departure: topology.departure(),
        arrival: topology.arrival(),
        crowds: places.crowds_all,
    }
}

/// How far a round goes: as far as the model allows, and no further than stations take in about a thousand tokens
/// from their sources; in approximate time, one instant.
fn lookahead(model: &NetworkModel) -> Time {
    if let Some(interval) = model.approximate() {
        return interval;
    }
    let mut rates = vec![0.0; model.stations() as usize];
    for (inflow, source) in model.inflows.iter().zip(&model.description.sources) {
        rates[inflow.target as usize] += 1.0 / (source.interval.mean() * Time::UNIT.ticks() as f64);
    }
    let fastest = rates.into_iter().fold(0.0, f64::max);
    let burst = if fastest > 0.0 { (BURST / fastest) as u64 } else { FURTHEST };
    Time::from_ticks(model.lookahead().ticks().min(burst.max(1)).min(FURTHEST))
}

/// A network at work.
struct Simulation<'a> {
    model: &'a NetworkModel,
    device: &'a dyn Device,
    options: &'a Options,
    layout: Layout,
    /// As in [`replicate_within`].
    most_tokens: u64,
    rounds: Rounds,
}

impl<'a> Simulation<'a> {
    fn start(
        model: &'a NetworkModel,
        replications: Range<u32>,
        most_tokens: u64,
        device: &'a dyn Device,
        options: &'a Options,
    ) -> Result<Self, DeviceError> {
        let chunks = first_chunks(model, &replications);
        let layout = Layout::new(model, replications, chunks)?;
        let rounds = Rounds::start(device, parts_of(model, &layout), options)?;
        Ok(Self { model, device, options, layout, most_tokens, rounds })
    }

    /// Runs every event before `limit`; whether the watch stopped it.
    fn run_until(&mut self, limit: Time, watch: &mut dyn Watch) -> Result<bool, RunError> {
        loop {
            let interrupted = self.rounds.run_until(limit, self.model.until(), watch)?;
            if self.rounds.control().fault & FAULT_POOL == 0 {
                return Ok(interrupted);
            }
            let clock = Time::from_ticks(self.rounds.control().bound);
            self.grow().map_err(|error| outgrown(error, clock))?;
        }
    }

    /// Doubles the pool, within the limit: the run goes on where it stopped, with the same records in larger buffers.
    fn grow(&mut self) -> Result<(), RunError> {
        let (old, most) = (&self.layout, self.most_tokens);
        let (places, chunks) = (old.token_places(), u64::from(old.places.chunks));
        let more = chunks.min(most.saturating_sub(places) / u64::from(layout::CHUNK));
        if more == 0 {
            let clock = Time::from_ticks(self.rounds.control().bound).units();
            return Err(RunError::Tokens { clock, places, most });
        }
        let layout = Layout::new(self.model, old.replications.clone(), chunks + more)?;
        let mut next_event: Vec<u64> = self.rounds.read("next_event")?;
        next_event.resize(layout.parameters.entities as usize, u64::MAX);
        let mut parts = parts_of(self.model, &layout);
        parts.first.clear();
        for buffer in &mut parts.buffers {
            let kept = match buffer.name {
                "annex" => self.annex(&layout)?,
                "stations" | "tokens" => self.rounds.read::<u8>(buffer.name)?,
                "links" => self.links()?,
                _ => continue,
            };
            let mut contents = kept;
            contents.resize(buffer.size as usize, 0);
            buffer.contents = Some(contents);
        }
        self.rounds.reload(self.device, parts, &next_event, self.options)?;
        self.layout = layout;
        Ok(())
    }

    /// The annex with everything where the larger layout has it.
    fn annex(&mut self, larger: &Layout) -> Result<Vec<u8>, DeviceError> {
        let annex = self.rounds.read("annex")?;
        let places = self.layout.approximation.as_ref().zip(larger.approximation.as_ref());
        Ok(match places {
            Some((old, new)) => old.spread(annex, new),
            None => annex,
        })
    }

    /// The links without the slots of the last round, with the cursor behind the last chunk that there was.
    fn links(&mut self) -> Result<Vec<u8>, DeviceError> {
        let mut links: Vec<u32> = self.rounds.read("links")?;
        let layout::Places { cursor, chunks, .. } = self.layout.places;
        links[cursor as usize] = chunks;
        let parameters = &self.layout.parameters;
        links.truncate((parameters.links + parameters.entities) as usize);
        Ok(bytemuck::cast_slice(&links).to_vec())
    }

    fn sums(&mut self) -> Result<(NetworkState, Sums), RunError> {
        let state = NetworkState::read(&mut self.rounds, self.model, &self.layout)?;
        let sums = state.sums(self.model, &self.layout);
        Ok((state, sums))
    }
}

/// A limit that a growing pool met says when, and what to do: nothing was too large at the start.
fn outgrown(error: RunError, clock: Time) -> RunError {
    match error {
        RunError::Device(DeviceError::Limit { what, asked, available, adapter, .. }) => {
            let remedy = format!(
                ": at time {:.3} the network has more tokens than fit; use a shorter horizon or fewer replications, or look \
                 for a station that is offered more than it serves",
                clock.units()
            );
            DeviceError::Limit { what, asked, available, adapter, remedy }.into()
        }
        error => error,
    }
}

#[cfg(test)]
mod tests;
