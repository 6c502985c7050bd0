//! Running replications, whose rooms for tokens grow on demand.

use std::time::Instant;

use super::batch::Batch;
use super::controlled;
use super::histograms::Observed;
use super::layout::{Kind, Layout, MOST_PLACES};
use super::outcome::outcomes;
use super::records::{FAULT_CIRCLE, FAULT_COUNT, MOST_BALKED, Status};
use crate::{MemberError, NetworkDetails, NetworkModel, NetworkOptions, NetworkOutcome, QueueingError};
use tickless_core::memory;
use tickless_core::run::{Run, Watch, unwatched};
use tickless_core::time::Time;
use tickless_device::Device;
use tickless_engine::{DeviceRun, Rounds};

pub(super) struct Simulation<'a> {
    pub(super) batch: Batch<'a>,
    device: &'a dyn Device,
    options: &'a NetworkOptions,
    pub(super) layout: Layout,
    pub(super) rounds: Rounds,
    /// A number of places for tokens with which the run must begin again: the replications do not fit together, or their records differ.
    pub(super) outgrown: Option<u32>,
}

/// How a run ended.
pub(super) enum Ending {
    /// At its horizon, or where the watch stopped it.
    Run(Box<Run<Vec<NetworkOutcome>, NetworkDetails>>),
    /// The run must begin again with places for this many tokens.
    Outgrown(u32),
}

impl DeviceRun for Simulation<'_> {
    type Error = QueueingError;

    fn rounds(&mut self) -> &mut Rounds {
        &mut self.rounds
    }

    fn until(&self) -> Time {
        self.model().until()
    }

    fn make_room(&mut self) -> Result<bool, QueueingError> {
        let control = *self.rounds.control();
        if control.fault & FAULT_COUNT != 0 {
            let sum = "number of tokens";
            return Err(QueueingError::Overflow { sum, facility: control.fault_entity });
        }
        if control.fault & FAULT_CIRCLE != 0 {
            let station = self.model().station_name(control.fault_entity).into_owned();
            return Err(QueueingError::StandsStill { clock: self.rounds.clock().units(), moves: MOST_BALKED, station });
        }
        if control.room == 0 {
            return Ok(false);
        }
        self.grow()?;
        Ok(self.outgrown.is_none())
    }

    /// Each replication has its own clock: the others catch up with the latest one.
    fn furthest(&mut self) -> Result<Time, QueueingError> {
        let Status { latest, .. } = self.rounds.model_status();
        Ok(Time::from_ticks((u64::from(latest) + 1) << 32))
    }
}

impl<'a> Simulation<'a> {
    pub(super) fn start(
        batch: Batch<'a>,
        layout: Layout,
        (device, options): (&'a dyn Device, &'a NetworkOptions),
        watch: &mut dyn Watch,
    ) -> Result<Self, QueueingError> {
        let parts = layout.parts(device.adapter(), &options.rounds)?;
        let rounds = Rounds::start(device, parts, &options.rounds, watch)?;
        Ok(Self { batch, device, options, layout, rounds, outgrown: None })
    }

    /// The network that stands for all: they have the same names of stations and the same horizon.
    fn model(&self) -> &'a NetworkModel {
        self.batch.first()
    }

    /// Runs everything; `begin` is when the first attempt began.
    ///
    /// # Errors
    /// [`MemberError`] with the place of the network.
    pub(super) fn run(mut self, begin: Instant, watch: &mut dyn Watch) -> Result<Ending, MemberError> {
        let setup = begin.elapsed();
        let interrupted = self.run_until(self.model().until(), watch).map_err(MemberError::of_all)?;
        if let Some(places) = self.outgrown {
            return Ok(Ending::Outgrown(places));
        }
        let (outcome, completions) = outcomes(&self.batch, &self.layout, &mut self.rounds)?;
        let details = NetworkDetails { completions, appointments: None };
        Ok(Ending::Run(Box::new(self.rounds.run(setup, interrupted, outcome, details))))
    }

    /// Doubles the places for tokens, within the limit: the run goes on where it stopped, with the same words in a larger buffer.
    fn grow(&mut self) -> Result<(), QueueingError> {
        let (old, count) = (u64::from(self.layout.parameters.token_places()), self.batch.len() as u64);
        let most = self.options.most_tokens.map_or(u64::MAX, |most| most / count / 4 * 4);
        let wanted = (2 * old).min(most).min(MOST_PLACES.into());
        if wanted <= old {
            let clock = self.rounds.clock().units();
            let places = old * count;
            let most = self.options.most_tokens.unwrap_or(u64::MAX);
            return Err(QueueingError::Tokens { clock, places, most, least: places + 4 * count });
        }
        let mut layout = Layout::new(&self.batch, wanted as u32);
        // Copies under control may have another seed than their model.
        layout.parameters.key = self.layout.parameters.key;
        if u64::from(layout.fitting(self.device.adapter())) < count || !layout.has_same_records(&self.layout) {
            self.outgrown = Some(wanted as u32);
            return Ok(());
        }
        let words = (count * layout.words()) as usize;
        let mut held: Vec<u64> = memory::filled(0, words, "the words of the replications")?;
        // New places for tokens come behind the old ones of all replications, and events behind them. A tree of clocks is built anew.
        let [old, new] = [&self.layout, &layout].map(|layout| layout.record(Kind::Event, 0) as usize * count as usize);
        let events = self.layout.rows_of(Kind::Event) as usize * 2 * count as usize;
        self.rounds.read_into("replication_state", 0, &mut held[..old])?;
        self.rounds.read_into("replication_state", old, &mut held[new..new + events])?;
        // New words of the other records come behind all old ones, too.
        let model = self.model();
        let observed = Observed::read(&mut self.rounds, model, &self.layout)?.contents();
        let mut parts = layout.parts(self.device.adapter(), &self.options.rounds)?;
        // The state is there already.
        parts.first = vec![];
        for buffer in parts.buffers.iter_mut().filter(|buffer| buffer.name == "replication_state") {
            buffer.contents = Some(bytemuck::cast_slice(&held).to_vec());
        }
        drop(held);
        let observed = observed.into_iter().chain(controlled::contents(&mut self.rounds, &self.layout)?);
        for (name, mut contents) in observed {
            if let Some(buffer) = parts.buffers.iter_mut().find(|buffer| buffer.name == name) {
                contents.resize(buffer.size as usize, 0);
                buffer.contents = Some(contents);
            }
        }
        self.rounds.reload(self.device, parts, &[u64::MAX], &mut unwatched())?;
        self.layout = layout;
        Ok(())
    }
}
