//! A running network, whose pool grows on demand.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::layout::{self, Layout};
use super::levels::Levels;
use super::observations;
use super::parts::parts_of;
use super::restoration::{self, Past};
use super::state::{NetworkState, Records, Sums};
use crate::NetworkModel;
use crate::checkpoint::{End, State};
use crate::gpu::Ends;
use crate::gpu::kernels::{appointments_of, furthest};
use crate::gpu::records::{FAULT_LEVELS, FAULT_POOL};
use crate::options::Synchronization;
use crate::{NetworkDetails, NetworkOptions, QueueingError};
use tickless_core::memory;
use tickless_core::run::{Run, SnapshotWatch, Watch, unwatched};
use tickless_core::time::Time;
use tickless_device::{Device, DeviceError};
use tickless_engine::{DeviceRun, Rounds, first_summaries};

/// A running network.
pub(super) struct Simulation<'a> {
    pub(super) model: &'a NetworkModel,
    device: &'a dyn Device,
    options: &'a NetworkOptions,
    /// Shared with snapshots that outlive the run.
    pub(super) layout: Arc<Layout>,
    pub(super) rounds: Rounds,
    /// The past, where the run resumes at a time.
    past: Option<Past>,
    /// The model for snapshots that outlive the run, once there is one.
    shared: Option<Arc<NetworkModel>>,
}

/// How a run ended.
pub(super) enum Ending {
    /// At its horizon, or where the watch stopped it.
    Run(Box<Run<Vec<End>, NetworkDetails>>),
    /// An observed station held more tokens than its record has room for: a run with this room may do.
    Outgrown(Levels),
}

impl DeviceRun for Simulation<'_> {
    type Error = QueueingError;

    fn rounds(&mut self) -> &mut Rounds {
        &mut self.rounds
    }

    fn until(&self) -> Time {
        self.model.until()
    }

    /// Makes the pool larger if it is full and no observed station has outgrown its room.
    fn make_room(&mut self) -> Result<bool, QueueingError> {
        let fault = self.rounds.control().fault;
        let full = fault & FAULT_POOL != 0 && fault & FAULT_LEVELS == 0;
        if full {
            let clock = self.rounds.clock();
            self.grow().map_err(|error| outgrown(error, clock))?;
        }
        Ok(full)
    }

    /// By appointments some stations are ahead of others.
    fn furthest(&mut self) -> Result<Time, QueueingError> {
        // Tokens that have left without a record had left before the last round.
        let clock = self.rounds.clock();
        Ok(if self.layout.appointed.is_some() { furthest(&mut self.rounds)?.max(clock) } else { clock })
    }
}

impl<'a> Simulation<'a> {
    pub(super) fn start(
        model: &'a NetworkModel,
        layout: Layout,
        device: &'a dyn Device,
        options: &'a NetworkOptions,
        watch: &mut dyn Watch,
    ) -> Result<Self, DeviceError> {
        let parts = parts_of(model, &layout, device.adapter(), &options.rounds)?;
        let rounds = Rounds::start(device, parts, &options.rounds, watch)?;
        let layout = Arc::new(layout);
        Ok(Self { model, device, options, layout, rounds, past: None, shared: None })
    }

    /// Begins with the states of the networks of all replications.
    pub(super) fn start_from(
        model: &'a NetworkModel,
        (layout, states): (Layout, &[State]),
        device: &'a dyn Device,
        options: &'a NetworkOptions,
        watch: &mut dyn Watch,
    ) -> Result<Self, QueueingError> {
        let mut parts = parts_of(model, &layout, device.adapter(), &options.rounds)?;
        let next_event = restoration::restore(&mut parts, model, &layout, states)?;
        let rounds = Rounds::start_from(device, parts, &next_event, &options.rounds, watch)?;
        let past = Some(Past::new(model, states)?);
        let layout = Arc::new(layout);
        Ok(Self { model, device, options, layout, rounds, past, shared: None })
    }

    /// Runs everything; `begin` is when the first attempt began.
    pub(super) fn run(
        mut self,
        begin: Instant,
        keeps: bool,
        watch: &mut dyn SnapshotWatch<Ends>,
    ) -> Result<Ending, QueueingError> {
        let setup = begin.elapsed();
        let model = self.model;
        let (mut before, mut interrupted) = (None, false);
        if model.warmup() > Time::ZERO {
            interrupted = self.run_with_snapshots(model.warmup(), watch, |own| own.snapshot(setup, None))?;
            if !interrupted && !self.outgrown() {
                before = Some(Arc::new(self.sums()?.1));
            }
        }
        if !interrupted && !self.outgrown() {
            interrupted = self.run_with_snapshots(model.until(), watch, |own| own.snapshot(setup, before.as_ref()))?;
        }
        if self.outgrown() {
            return Ok(Ending::Outgrown(self.more_levels()?));
        }
        watch.settle();
        let records = Records::read(&mut self.rounds, model)?;
        let reading = Reading { model, layout: &self.layout, past: self.past.as_ref() };
        let run = reading.run(records, self.ended(setup, interrupted), before.as_deref(), keeps && interrupted)?;
        Ok(Ending::Run(Box::new(run)))
    }

    /// Copies the state, if there is memory for the copy and for the results from it.
    fn snapshot(&mut self, setup: Duration, before: Option<&Arc<Sums>>) -> Result<Option<Ends>, QueueingError> {
        let (stations, tokens) = (self.layout.parameters.stations as usize, self.layout.parameters.entities as usize);
        let bytes = Records::bytes(&self.layout) + State::bytes_of(stations, tokens);
        if self.outgrown() || memory::room_of(bytes, "a snapshot of the network").is_err() {
            return Ok(None);
        }
        let records = Records::read(&mut self.rounds, self.model)?;
        let (run, before) = (self.ended(setup, true), before.cloned());
        let model = self.shared.get_or_insert_with(|| Arc::new(self.model.clone())).clone();
        let (layout, past) = (self.layout.clone(), self.past.clone());
        Ok(Some(Box::new(move || {
            Reading { model: &model, layout: &layout, past: past.as_ref() }.run(records, run, before.as_deref(), true)
        })))
    }

    /// The counts of the rounds.
    fn ended(&self, setup: Duration, interrupted: bool) -> Run<(), NetworkDetails> {
        let stations = self.layout.parameters.stations.into();
        let appointments = self.layout.appointed.is_some().then(|| appointments_of(&self.rounds, stations));
        self.rounds.run(setup, interrupted, (), NetworkDetails { completions: 0, appointments })
    }

    /// Whether an observed station holds more tokens than its record has room for.
    fn outgrown(&self) -> bool {
        self.rounds.control().fault & FAULT_LEVELS != 0
    }

    /// The room that observed stations seem to need.
    fn more_levels(&mut self) -> Result<Levels, QueueingError> {
        let annex: Vec<u64> = self.rounds.read("annex")?;
        let levels = self.layout.levels.as_ref().expect("only what is observed is outgrown");
        Ok(observations::grown(levels, self.model, &self.layout, &annex))
    }

    /// Doubles the pool, within the limit: the run goes on where it stopped, with the same records in larger buffers.
    fn grow(&mut self) -> Result<(), QueueingError> {
        let (old, most) = (&self.layout, self.options.most_tokens.unwrap_or(u64::MAX));
        let (places, chunks) = (old.token_places(), u64::from(old.places.chunks));
        let more = chunks.min(most.saturating_sub(places) / u64::from(layout::CHUNK));
        if more == 0 {
            let clock = Time::from_ticks(self.rounds.control().bound).units();
            let least = places + u64::from(layout::CHUNK);
            return Err(QueueingError::Tokens { clock, places, most, least });
        }
        let (levels, rounds) = (old.levels.clone(), (self.synchronization(), self.device.adapter().gpus));
        let layout = {
            let places = (old.places.tokens_each, chunks + more);
            Layout::new(self.model, old.replications.clone(), places, levels, rounds)?
        };
        let mut next_event: Vec<u64> = self.rounds.read("next_event")?;
        next_event.resize(layout.parameters.entities as usize, u64::MAX);
        let mut parts = parts_of(self.model, &layout, self.device.adapter(), &self.options.rounds)?;
        // The state is there already.
        parts.first = if layout.appointed.is_some() { vec![] } else { vec![first_summaries()] };
        for buffer in &mut parts.buffers {
            let kept = match buffer.name {
                "stations" | "tokens" => self.rounds.read::<u8>(buffer.name)?,
                "annex" => self.annex(&layout)?,
                "links" => self.links(&layout)?,
                _ => continue,
            };
            let mut contents = kept;
            contents.resize(buffer.size as usize, 0);
            buffer.contents = Some(contents);
        }
        self.rounds.reload(self.device, parts, &next_event, &mut unwatched())?;
        self.layout = Arc::new(layout);
        Ok(())
    }

    /// The annex in the order of the larger layout: records of stations come last.
    fn annex(&mut self, layout: &Layout) -> Result<Vec<u8>, DeviceError> {
        let mut annex: Vec<u64> = self.rounds.read("annex")?;
        let recorded = annex.split_off(self.layout.places.observations as usize);
        if let Some((old, new)) = self.layout.approximation.as_ref().zip(layout.approximation.as_ref()) {
            annex = old.spread(annex, new);
        }
        annex.resize(layout.places.observations as usize, 0);
        annex.extend(recorded);
        Ok(bytemuck::cast_slice(&annex).to_vec())
    }

    /// The links without the slots of the last round, with the cursor behind the last chunk so far. By appointments the
    /// lists of the stations are in place of the slots.
    fn links(&mut self, layout: &Layout) -> Result<Vec<u8>, DeviceError> {
        let mut links: Vec<u32> = self.rounds.read("links")?;
        let layout::Places { cursor, chunks, .. } = self.layout.places;
        links[cursor as usize] = links[cursor as usize].min(chunks);
        let parameters = &self.layout.parameters;
        let lists = links.split_off((parameters.links + parameters.entities) as usize);
        if layout.appointed.is_some() {
            links.resize((layout.parameters.links + layout.parameters.entities) as usize, 0);
            links.extend(lists);
        }
        Ok(bytemuck::cast_slice(&links).to_vec())
    }

    fn synchronization(&self) -> Synchronization {
        match self.layout.appointed {
            Some(_) => Synchronization::Appointments,
            None => Synchronization::Window,
        }
    }

    fn sums(&mut self) -> Result<(NetworkState, Sums), QueueingError> {
        let records = Records::read(&mut self.rounds, self.model)?;
        let state = NetworkState::new(records, self.model, &self.layout)?;
        let sums = state.sums(self.model, &self.layout);
        Ok((state, sums))
    }
}

/// How records are read.
struct Reading<'a> {
    model: &'a NetworkModel,
    layout: &'a Layout,
    past: Option<&'a Past>,
}

impl Reading<'_> {
    /// The run up to the time of the records. It counts since `before`; without `before` since time 0, or nothing while the warm-up has
    /// not ended. With `keeps` it also has the states of the networks.
    fn run(
        &self,
        records: Records,
        counted: Run<(), NetworkDetails>,
        before: Option<&Sums>,
        keeps: bool,
    ) -> Result<Run<Vec<End>, NetworkDetails>, QueueingError> {
        let Self { model, layout, past } = *self;
        let state = NetworkState::new(records, model, layout)?;
        let sums = state.sums(model, layout);
        // A warm-up that has not ended has measured nothing.
        let before = before.or((model.warmup() > Time::ZERO).then_some(&sums));
        let outcome = state.outcomes(model, &sums, before);
        let states = if keeps { restoration::states(&state, &sums, model, layout) } else { vec![] };
        let states = states.into_iter().map(Some).chain(std::iter::repeat(None));
        let ends = outcome.into_iter().zip(states).map(|(outcome, state)| End { outcome, state }).collect();
        let details = NetworkDetails { completions: sums.completions(), ..counted.details };
        let events = sums.sent() + sums.changes + sums.completions();
        let mut run = Run { events, clock: state.time(), details, ..counted }.map(|()| ends);
        if let Some(past) = past {
            past.take_off(&mut run);
        }
        Ok(run)
    }
}

/// The error of a pool that cannot grow says when that was, and what to do: nothing was too large at the start.
pub(super) fn outgrown(error: QueueingError, clock: Time) -> QueueingError {
    match error {
        QueueingError::Device(DeviceError::Limit { what, asked, available, adapter, .. }) => {
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
