//! Logical processes at work: rounds, and sets of pending events that grow when they must.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::layout::{Begin, Layout};
use super::model::DeviceModel;
use super::options::ProcessOptions;
use super::pending;
use super::records::{Process, spread_inboxes};
use super::resumption::{self, Sets, fill};
use super::unsorted::{self, Spread};
use super::{state, streams, totals};
use crate::ProcessError;
use crate::run::Stood;
use crate::{Checkpoint, ProcessDetails};
use tickless_core::run::{Run, RunMode, SnapshotWatch, Watch, unwatched};
use tickless_core::time::Time;
use tickless_device::{BufferUse, Device};
use tickless_engine::pending::PendingSet;
use tickless_engine::{DeviceRun, Rounds};

/// A model at work.
pub(super) struct Simulation<'a> {
    pub(super) model: &'a DeviceModel,
    device: &'a dyn Device,
    options: &'a ProcessOptions,
    pub(super) layout: Layout,
    pub(super) rounds: Rounds,
}

/// Runs a model until its horizon or an interruption.
pub(super) fn run(
    model: &DeviceModel,
    device: &dyn Device,
    options: &ProcessOptions,
    mode: RunMode<'_, Checkpoint>,
    watch: &mut dyn SnapshotWatch<Stood>,
) -> Result<Run<Checkpoint, ProcessDetails>, ProcessError> {
    let begin = Instant::now();
    let mut simulation = match mode.from {
        None => Simulation::start(model, device, options, watch)?,
        Some(from) => Simulation::start_from(from, model, device, options, watch)?,
    };
    simulation.rounds.carefully();
    let setup = begin.elapsed();
    let interrupted = simulation.run_with_snapshots(model.until, watch, |own| own.snapshot(setup))?;
    watch.settle();
    let Simulation { layout, mut rounds, .. } = simulation;
    let outcome = match layout.figures_only {
        true => totals::outcome(&mut rounds, model)?,
        false => state::outcome(&mut rounds, model, &layout)?,
    };
    let details = ProcessDetails { remote: None, pending: Some(layout.set), node: None };
    let streams = if mode.keeps() { streams(&mut rounds)? } else { vec![] };
    Ok(rounds.run(setup, interrupted, Checkpoint { outcome, streams, remote: None }, details))
}

impl DeviceRun for Simulation<'_> {
    type Error = ProcessError;

    fn rounds(&mut self) -> &mut Rounds {
        &mut self.rounds
    }

    fn until(&self) -> Time {
        self.model.until
    }

    /// Gives every set as many slots as a full set needs, and some more. Messages in inboxes then go into the sets.
    fn make_room(&mut self) -> Result<bool, ProcessError> {
        state::fault(&mut self.rounds, self.model)?;
        let needed = self.rounds.control().room;
        if needed == 0 {
            return Ok(false);
        }
        if self.layout.set == PendingSet::Unsorted {
            let (blocks, adapter) = (self.rounds.control().blocks, self.device.adapter());
            let crossing = self.layout.crossing(self.model, blocks, adapter);
            let sets = unsorted::Sets::read(&mut self.rounds, crossing, self.layout.inbox_shift)?;
            let [events, slots] = sets.needed();
            let clock = self.rounds.clock().units();
            let layout = self.grown(events)?.with_slots(self.model, slots, clock, adapter)?;
            let Spread { processes, counts, slots, next_event } = sets.spread(&self.layout, &layout);
            let inboxes = spread_inboxes(&counts, layout.inbox_shift);
            let new = [("processes", bytemuck::cast_slice(&processes)), ("slots", bytemuck::cast_slice(&slots))];
            self.go_on(layout, &[new[0], new[1], ("inboxes", bytemuck::cast_slice(&inboxes))], &next_event)?;
            return Ok(true);
        }
        let (old, layout) = (self.layout, self.grown(needed)?);
        let mut processes: Vec<Process> = self.rounds.read("processes")?;
        let slots: Vec<[u32; 4]> = self.rounds.read("slots")?;
        let mut spread = vec![[0; 4]; processes.len() * layout.set_words()];
        let sets = slots.par_chunks(old.set_words()).zip(spread.par_chunks_mut(layout.set_words()));
        let words = layout.slot_words();
        processes
            .par_iter_mut()
            .zip(sets)
            .for_each(|(process, (old, new))| pending::spread(layout.set, process, old, new, words));
        let next_event: Vec<u64> = self.rounds.read("next_event")?;
        let new = [("processes", bytemuck::cast_slice(&processes)), ("slots", bytemuck::cast_slice(&spread))];
        self.go_on(layout, &new, &next_event)?;
        Ok(true)
    }
}

impl<'a> Simulation<'a> {
    pub(super) fn start(
        model: &'a DeviceModel,
        device: &'a dyn Device,
        options: &'a ProcessOptions,
        watch: &mut dyn Watch,
    ) -> Result<Self, ProcessError> {
        let layout = Layout::new(model, options, device.adapter())?;
        let parts = layout.parts(model, Begin::Start, device.adapter(), &options.rounds)?;
        let rounds = Rounds::start(device, parts, &options.rounds, watch)?;
        Ok(Self { model, device, options, layout, rounds })
    }

    pub(super) fn start_from(
        from: &Checkpoint,
        model: &'a DeviceModel,
        device: &'a dyn Device,
        options: &'a ProcessOptions,
        watch: &mut dyn Watch,
    ) -> Result<Self, ProcessError> {
        let mut layout = Layout::new(model, options, device.adapter())?;
        let needed = resumption::needed(from, layout.set);
        if needed > layout.slots {
            layout = layout.grown(model, needed, from.outcome.until.units(), device.adapter())?;
        }
        let mut parts = layout.parts(model, Begin::Again, device.adapter(), &options.rounds)?;
        let (mut processes, more_words) = resumption::records(from)?;
        let Sets { slots, counts, next_event } = Sets::new(from, &layout, &mut processes)?;
        fill(&mut parts, "processes", &processes);
        fill(&mut parts, "more_words", &more_words);
        fill(&mut parts, "slots", &slots);
        fill(&mut parts, "inboxes", &spread_inboxes(&counts, layout.inbox_shift));
        let rounds = Rounds::start_from(device, parts, &next_event, &options.rounds, watch)?;
        Ok(Self { model, device, options, layout, rounds })
    }

    /// Copies the state, if there is memory for the copy and for the checkpoint made from it.
    fn snapshot(&mut self, setup: Duration) -> Result<Option<Stood>, ProcessError> {
        let Some(records) = state::Records::read(&mut self.rounds, self.model, &self.layout)? else { return Ok(None) };
        let details = ProcessDetails { remote: None, pending: Some(self.layout.set), node: None };
        let run = self.rounds.run(setup, true, (), details);
        Ok(Some(Box::new(move || {
            let at = records.checkpoint()?;
            Ok(run.map(|()| at))
        })))
    }

    fn grown(&self, needed: u32) -> Result<Layout, ProcessError> {
        self.layout.grown(self.model, needed, self.rounds.clock().units(), self.device.adapter())
    }

    /// Goes on with new contents of some buffers, and the present contents of the others.
    fn go_on(&mut self, layout: Layout, new: &[(&str, &[u8])], next_event: &[u64]) -> Result<(), ProcessError> {
        let mut parts = layout.parts(self.model, Begin::Again, self.device.adapter(), &self.options.rounds)?;
        for buffer in &mut parts.buffers {
            buffer.contents = match new.iter().find(|(name, _)| *name == buffer.name) {
                Some((_, contents)) => Some(contents.to_vec()),
                // Buffers that each round writes anew, buffers made at the end, and buffers that never change.
                None if ["crossing", "results"].contains(&buffer.name) || buffer.usage == BufferUse::Uniform => {
                    continue;
                }
                None => Some(self.rounds.read::<u8>(buffer.name)?),
            };
        }
        self.rounds.reload(self.device, parts, next_event, &mut unwatched())?;
        self.layout = layout;
        Ok(())
    }
}
