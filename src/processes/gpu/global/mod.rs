//! Logical processes on a device with one set for the pending events of all: a parallel heap (He, Agarwal and Prasad 2012),
//! whose nodes have many events each.

mod contents;
mod layout;
pub(super) mod shape;

use std::time::Instant;

use rayon::prelude::*;

use self::contents::{Contents, Entry, listed};
pub(super) use self::layout::Layout;
use super::model::DeviceModel;
use super::options::ProcessOptions;
use super::records::Process;
use super::resumption::{self, fill};
use super::{state, streams};
use crate::ProcessError;
use crate::{Checkpoint, Outcome, PendingMessage, ProcessDetails, ProcessRecord};
use tickless_core::memory;
use tickless_core::run::{Run, RunMode, Watch, unwatched};
use tickless_core::time::Time;
use tickless_device::{BufferUse, Device};
use tickless_engine::pending::PendingSet;
use tickless_engine::{DeviceRun, Rounds};

/// A model at work.
struct Simulation<'a> {
    model: &'a DeviceModel,
    device: &'a dyn Device,
    options: &'a ProcessOptions,
    layout: Layout,
    rounds: Rounds,
}

/// Runs a model until its horizon or an interruption.
pub(super) fn run(
    model: &DeviceModel,
    device: &dyn Device,
    options: &ProcessOptions,
    mode: RunMode<'_, Checkpoint>,
    watch: &mut dyn Watch,
) -> Result<Run<Checkpoint, ProcessDetails>, ProcessError> {
    let begin = Instant::now();
    let mut simulation = match mode.from {
        None => Simulation::start(model, device, options, watch)?,
        Some(from) => Simulation::start_from(from, model, device, options, watch)?,
    };
    let setup = begin.elapsed();
    let interrupted = simulation.run_until(model.until, watch)?;
    let outcome = simulation.outcome()?;
    let node = Some(simulation.layout.shape.node);
    let details = ProcessDetails { remote: None, pending: Some(PendingSet::GlobalHeap), node };
    let streams = if mode.keeps() { streams(&mut simulation.rounds)? } else { vec![] };
    Ok(simulation.rounds.run(setup, interrupted, Checkpoint { outcome, streams, remote: None }, details))
}

impl DeviceRun for Simulation<'_> {
    type Error = ProcessError;

    fn rounds(&mut self) -> &mut Rounds {
        &mut self.rounds
    }

    fn until(&self) -> Time {
        self.model.until
    }

    /// Gives the heap more nodes where its root has overflowed.
    fn make_room(&mut self) -> Result<bool, ProcessError> {
        state::fault(&mut self.rounds, self.model)?;
        if self.rounds.control().room == 0 {
            return Ok(false);
        }
        // The events before the bound may be more than the root holds.
        let clock = Time::from_ticks(self.rounds.control().minimum).units();
        let mut entries = self.entries()?;
        self.layout = self.layout.grown(self.model, entries.len() as u64, clock, self.device.adapter())?;
        self.load(&mut entries, &mut unwatched())?;
        Ok(true)
    }
}

impl<'a> Simulation<'a> {
    /// The first events are made on the device and put in order here.
    fn start(
        model: &'a DeviceModel,
        device: &'a dyn Device,
        options: &'a ProcessOptions,
        watch: &mut dyn Watch,
    ) -> Result<Self, ProcessError> {
        let layout = Layout::new(model, options, device.adapter())?;
        let parts = layout.start(model, device.adapter(), &options.rounds)?;
        let mut rounds = Rounds::start(device, parts, &options.rounds, watch)?;
        rounds.carefully();
        rounds.run_until(Time::ZERO, model.until, &mut unwatched())?;
        state::fault(&mut rounds, model)?;
        let mut entries = listed(&rounds.read("keys")?, &rounds.read("cargo")?);
        let mut simulation = Self { model, device, options, layout, rounds };
        simulation.load(&mut entries, watch)?;
        Ok(simulation)
    }

    fn start_from(
        from: &Checkpoint,
        model: &'a DeviceModel,
        device: &'a dyn Device,
        options: &'a ProcessOptions,
        watch: &mut dyn Watch,
    ) -> Result<Self, ProcessError> {
        let mut entries = memory::with_room(from.outcome.pending.len(), "the pending events")?;
        for (destination, pending) in (0_u32..).zip(from.pending()) {
            entries.extend(pending.iter().map(|message| Entry { destination, message: *message }));
        }
        entries.par_sort_unstable_by_key(|entry| entry.message.key());
        let mut layout = Layout::new(model, options, device.adapter())?;
        let (pending, clock) = (entries.len() as u64, from.outcome.until.units());
        if !layout.shape.has_room(pending) {
            layout = layout.grown(model, pending, clock, device.adapter())?;
        }
        let contents = Contents::new(&layout.shape, layout.carrying, &entries);
        let mut parts = layout.rounds(model, device.adapter(), &options.rounds)?;
        let (processes, more_words) = resumption::records(from)?;
        fill(&mut parts, "processes", &processes);
        fill(&mut parts, "more_words", &more_words);
        fill(&mut parts, "keys", &contents.keys);
        fill(&mut parts, "cargo", &contents.cargo);
        fill(&mut parts, "heap_words", &contents.words);
        let next_event = vec![0; model.processes as usize];
        let mut rounds = Rounds::start_from(device, parts, &next_event, &options.rounds, watch)?;
        rounds.carefully();
        Ok(Self { model, device, options, layout, rounds })
    }

    /// Goes on with these events.
    fn load(&mut self, entries: &mut [Entry], watch: &mut dyn Watch) -> Result<(), ProcessError> {
        entries.par_sort_unstable_by_key(|entry| entry.message.key());
        let contents = Contents::new(&self.layout.shape, self.layout.carrying, entries);
        let mut parts = self.layout.rounds(self.model, self.device.adapter(), &self.options.rounds)?;
        for buffer in &mut parts.buffers {
            buffer.contents = match buffer.name {
                "keys" => Some(bytemuck::cast_slice(&contents.keys).to_vec()),
                "cargo" => Some(bytemuck::cast_slice(&contents.cargo).to_vec()),
                "heap_words" => Some(bytemuck::cast_slice(&contents.words).to_vec()),
                // Empty buffers, and buffers that never change.
                "inboxes" => continue,
                _ if buffer.usage == BufferUse::Uniform => continue,
                name => Some(self.rounds.read::<u8>(name)?),
            };
        }
        let next_event = vec![0; self.model.processes as usize];
        self.rounds.reload(self.device, parts, &next_event, watch)?;
        Ok(())
    }

    fn entries(&mut self) -> Result<Vec<Entry>, ProcessError> {
        let rounds = &mut self.rounds;
        let contents =
            Contents { keys: rounds.read("keys")?, cargo: rounds.read("cargo")?, words: rounds.read("heap_words")? };
        Ok(contents.entries(&self.layout.shape))
    }

    /// Every record; every event before the clock has happened.
    fn outcome(&mut self) -> Result<Outcome, ProcessError> {
        let processes: Vec<Process> = self.rounds.read("processes")?;
        let more_words = state::more_words(&mut self.rounds, self.model)?;
        let mut entries = self.entries()?;
        entries.par_sort_unstable_by_key(|entry| (entry.destination, entry.message.key()));
        let record = |process: &Process| ProcessRecord {
            executed: process.executed,
            sent: process.sent,
            last: Time::from_ticks(process.now),
            pending: 0,
        };
        let mut records: Vec<ProcessRecord> = processes.iter().map(record).collect();
        for entry in &entries {
            records[entry.destination as usize].pending += 1;
        }
        let pending: Vec<PendingMessage> = entries.into_iter().map(|entry| entry.message).collect();
        Ok(Outcome {
            processes: records,
            state: state::states(&processes, self.model.state_words, more_words.as_deref()),
            pending,
            payload_words: self.model.payload_words,
            until: self.rounds.clock(),
            added_up: None,
        })
    }
}
