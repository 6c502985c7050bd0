//! A network at work: it grows where it must.

use std::time::Instant;

use super::layout::{self, Layout};
use super::levels::Levels;
use super::parts::parts_of;
use super::state::{NetworkState, Sums};
use super::{observations, restoration};
use crate::device::{Device, DeviceError};
use crate::engine::{DeviceRun, Rounds, first_summaries};
use crate::queueing::NetworkModel;
use crate::queueing::checkpoint::End;
use crate::queueing::gpu::kernels::{appointments_of, furthest};
use crate::queueing::gpu::records::{FAULT_CROSSING, FAULT_LEVELS, FAULT_POOL};
use crate::queueing::gpu::restoration::Inside;
use crate::queueing::gpu::synchronization::Synchronization;
use crate::queueing::post::Words;
use crate::queueing::share::Share;
use crate::queueing::{NetworkDetails, NetworkOptions, QueueingError};
use crate::run::{Run, Watch, unwatched};
use crate::time::Time;

/// A network at work.
pub(super) struct Simulation<'a> {
    pub(super) model: &'a NetworkModel,
    /// Where the model is that.
    share: Option<&'a Share>,
    device: &'a dyn Device,
    options: &'a NetworkOptions,
    pub(super) layout: Layout,
    pub(super) rounds: Rounds,
    /// Messages for other ranks that rounds have left and nobody has taken yet.
    pub(super) exports: Vec<Words>,
}

/// How a run ended.
pub(super) enum Ending {
    /// At its horizon, or where the watch stopped it.
    Run(Box<Run<Vec<End>, NetworkDetails>>),
    /// An observed station held more tokens than there was room for: a run with this room may do.
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

    /// A larger pool, where it has run out and no observed station has outgrown its room; and room for messages to other ranks.
    fn make_room(&mut self) -> Result<bool, QueueingError> {
        if self.layout.crossing.is_some() {
            self.fetch_exports()?;
        }
        let fault = self.rounds.control().fault;
        let full = fault & FAULT_POOL != 0 && fault & FAULT_LEVELS == 0;
        if full {
            let clock = self.rounds.clock();
            self.grow(0).map_err(|error| outgrown(error, clock))?;
        } else if fault == FAULT_CROSSING {
            self.rounds.fault_is_met()?;
        }
        Ok(full || fault == FAULT_CROSSING)
    }

    /// By appointments some stations are ahead of others.
    fn furthest(&mut self) -> Result<Time, QueueingError> {
        // What is gone without a record was gone before the last round.
        let clock = self.rounds.clock();
        Ok(if self.layout.appointed.is_some() { furthest(&mut self.rounds)?.max(clock) } else { clock })
    }
}

impl<'a> Simulation<'a> {
    pub(super) fn start(
        (model, share): (&'a NetworkModel, Option<&'a Share>),
        layout: Layout,
        device: &'a dyn Device,
        options: &'a NetworkOptions,
        watch: &mut dyn Watch,
    ) -> Result<Self, DeviceError> {
        let parts = parts_of(model, &layout, device.adapter(), &options.rounds)?;
        let rounds = Rounds::start(device, parts, &options.rounds, watch)?;
        Ok(Self { model, share, device, options, layout, rounds, exports: vec![] })
    }

    /// Begins with what is in the networks of all replications.
    pub(super) fn start_from(
        (model, share): (&'a NetworkModel, Option<&'a Share>),
        (layout, insides): (Layout, &[Inside<'_>]),
        device: &'a dyn Device,
        options: &'a NetworkOptions,
        watch: &mut dyn Watch,
    ) -> Result<Self, QueueingError> {
        let mut parts = parts_of(model, &layout, device.adapter(), &options.rounds)?;
        let next_event = restoration::restore(&mut parts, model, &layout, insides)?;
        let rounds = Rounds::start_from(device, parts, &next_event, &options.rounds, watch)?;
        Ok(Self { model, share, device, options, layout, rounds, exports: vec![] })
    }

    /// Runs everything; `begin` is when the first attempt began.
    pub(super) fn run(mut self, begin: Instant, keeps: bool, watch: &mut dyn Watch) -> Result<Ending, QueueingError> {
        let setup = begin.elapsed();
        let model = self.model;
        let (mut before, mut interrupted) = (None, false);
        if model.warmup() > Time::ZERO {
            interrupted = self.run_until(model.warmup(), watch)?;
            if !self.outgrown() {
                before = Some(self.sums()?.1);
            }
        }
        if !interrupted && !self.outgrown() {
            interrupted = self.run_until(model.until(), watch)?;
        }
        if self.outgrown() {
            return Ok(Ending::Outgrown(self.more_levels()?));
        }
        let (state, sums) = self.sums()?;
        // An interrupted warm-up has measured nothing, and counts from there.
        let outcome = state.outcomes(model, &sums, before.as_ref(), None)?;
        let stations = outcome.iter().map(|outcome| outcome.stations.facilities.len() as u64).sum();
        let appointments = self.layout.appointed.is_some().then(|| appointments_of(&self.rounds, stations));
        let details = NetworkDetails { completions: sums.completions(), appointments };
        let states = if keeps && interrupted {
            restoration::states(&mut self.rounds, &state, &sums, model, &self.layout)?
        } else {
            vec![]
        };
        let states = states.into_iter().map(|(state, _)| Some(state)).chain(std::iter::repeat(None));
        let ends = outcome.into_iter().zip(states).map(|(outcome, state)| End { outcome, state }).collect();
        let run = self.rounds.run(setup, interrupted, ends, details);
        Ok(Ending::Run(Box::new(Run { events: sums.sent() + sums.completions(), clock: state.time(), ..run })))
    }

    /// Whether an observed station holds more tokens than there is room for.
    fn outgrown(&self) -> bool {
        self.rounds.control().fault & FAULT_LEVELS != 0
    }

    /// The room that observed stations seem to need.
    fn more_levels(&mut self) -> Result<Levels, QueueingError> {
        let annex: Vec<u64> = self.rounds.read("annex")?;
        let levels = self.layout.levels.as_ref().expect("only what is observed is outgrown");
        Ok(observations::grown(levels, self.model, &self.layout, &annex))
    }

    /// Doubles the pool, or makes it larger by so many chunks if they are more, within the limit: the run goes on where it stopped,
    /// with the same records in larger buffers.
    pub(super) fn grow(&mut self, least: u64) -> Result<(), QueueingError> {
        let (old, most) = (&self.layout, self.options.most_tokens.unwrap_or(u64::MAX));
        let (places, chunks) = (old.token_places(), u64::from(old.places.chunks));
        let more = chunks.max(least).min(most.saturating_sub(places) / u64::from(layout::CHUNK));
        if more < least.max(1) {
            let clock = Time::from_ticks(self.rounds.control().bound).units();
            let least = places + least.max(1) * u64::from(layout::CHUNK);
            return Err(QueueingError::Tokens { clock, places, most, least });
        }
        let (levels, rounds) = (old.levels.clone(), (self.synchronization(), self.device.adapter().gpus));
        let layout = {
            let places = (old.places.tokens_each, chunks + more);
            Layout::new(self.model, old.replications.clone(), places, levels, rounds, self.share)?
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
        self.layout = layout;
        Ok(())
    }

    /// The annex with everything where the larger layout has it: what is recorded of stations comes last.
    fn annex(&mut self, layout: &Layout) -> Result<Vec<u8>, DeviceError> {
        let mut annex: Vec<u64> = self.rounds.read("annex")?;
        let recorded = annex.split_off(self.layout.places.observations as usize);
        if let Some((old, new)) = self.layout.approximation.as_ref().zip(layout.approximation.as_ref()) {
            annex = old.spread(annex, new);
        }
        annex.resize(layout.places.observations as usize, 0);
        match self.layout.crossing.as_ref().zip(layout.crossing.as_ref()) {
            None => annex.extend(recorded),
            Some((old, new)) => {
                let slots = &recorded[(old.slots - old.messages) as usize..];
                annex.resize(new.slots as usize, 0);
                annex.extend(slots);
            }
        }
        Ok(bytemuck::cast_slice(&annex).to_vec())
    }

    /// The links without the slots of the last round, with the cursor behind the last chunk that there was. By appointments
    /// the lists of the stations are where the slots would be.
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

    pub(super) fn sums(&mut self) -> Result<(NetworkState, Sums), QueueingError> {
        let state = NetworkState::read(&mut self.rounds, self.model, &self.layout)?;
        let sums = state.sums(self.model, &self.layout);
        Ok((state, sums))
    }
}

/// A limit that a growing pool met says when, and what to do: nothing was too large at the start.
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
