//! Logical processes at work: rounds, and sets of pending events that grow where they must.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::layout::{Begin, Layout};
use super::model::DeviceModel;
use super::options::ProcessOptions;
use super::pending::PendingReport;
use super::records::Process;
use super::state;
use crate::device::{BufferUse, Device};
use crate::engine::Rounds;
use crate::processes::ProcessError;
use crate::processes::{Outcome, ProcessDetails};
use crate::run::{Run, Watch, unwatched};
use crate::time::Time;

/// A model at work.
struct Simulation<'a> {
    model: &'a DeviceModel,
    device: &'a dyn Device,
    options: &'a ProcessOptions,
    layout: Layout,
    rounds: Rounds,
    /// Time that sets took to grow, which is part of the run.
    growing: Duration,
}

/// Runs a model until its horizon or an interruption.
pub(super) fn run(
    model: &DeviceModel,
    device: &dyn Device,
    options: &ProcessOptions,
    watch: &mut dyn Watch,
) -> Result<Run<Outcome, ProcessDetails>, ProcessError> {
    let begin = Instant::now();
    let layout = Layout::new(model, options.pending.set(), options, device.adapter())?;
    let mut rounds =
        Rounds::start(device, layout.parts(model, Begin::Start, device.adapter(), &options.rounds)?, &options.rounds)?;
    rounds.carefully();
    let mut simulation = Simulation { model, device, options, layout, rounds, growing: Duration::ZERO };
    let setup = begin.elapsed();
    let interrupted = simulation.run_until(model.until, watch)?;
    let rounds = &mut simulation.rounds;
    let clock = Time::from_ticks(rounds.control().bound);
    let outcome = state::outcome(rounds, model, &simulation.layout, clock)?;
    Ok(Run {
        outcome,
        events: rounds.control().events,
        rounds: Some(rounds.rounds()),
        clock,
        wall: rounds.wall() + simulation.growing,
        device: rounds.device(),
        setup,
        timings: rounds.timings(),
        interrupted,
        details: ProcessDetails {
            remote: None,
            pending: Some(PendingReport { asked: options.pending, set: layout.set, node: None }),
        },
    })
}

impl Simulation<'_> {
    /// Every event before `limit`, or before the clock at which the watch stops it: processes that were held back catch up.
    fn run_until(&mut self, limit: Time, watch: &mut dyn Watch) -> Result<bool, ProcessError> {
        let interrupted = self.rounds_until(limit, watch)?;
        if interrupted {
            let clock = Time::from_ticks(self.rounds.control().bound);
            self.rounds_until(limit.min(clock), &mut unwatched())?;
        }
        Ok(interrupted)
    }

    /// One round after the other, with more room where a set is full.
    fn rounds_until(&mut self, limit: Time, watch: &mut dyn Watch) -> Result<bool, ProcessError> {
        loop {
            let interrupted = self.rounds.run_until(limit, self.model.until, watch)?;
            state::fault(&mut self.rounds, self.model)?;
            match self.rounds.control().room {
                0 => return Ok(interrupted),
                needed => self.grow(needed)?,
            }
            if interrupted {
                return Ok(true);
            }
        }
    }

    /// Gives every set so many slots and some more. What is in inboxes goes into them then.
    fn grow(&mut self, needed: u32) -> Result<(), ProcessError> {
        let begin = Instant::now();
        let clock = Time::from_ticks(self.rounds.control().bound).units();
        let old = self.layout;
        let layout = old.grown(self.model, needed, clock, self.device.adapter())?;
        let mut parts = layout.parts(self.model, Begin::Again, self.device.adapter(), &self.options.rounds)?;
        let mut processes: Vec<Process> = self.rounds.read("processes")?;
        let slots: Vec<[u32; 4]> = self.rounds.read("slots")?;
        let mut spread = vec![[0; 4]; processes.len() * layout.set_words()];
        let sets = slots.par_chunks(old.set_words()).zip(spread.par_chunks_mut(layout.set_words()));
        let words = layout.slot_words();
        processes
            .par_iter_mut()
            .zip(sets)
            .for_each(|(process, (old, new))| layout.set.spread(process, old, new, words));
        for buffer in &mut parts.buffers {
            buffer.contents = match buffer.name {
                "processes" => Some(bytemuck::cast_slice(&processes).to_vec()),
                "slots" => Some(bytemuck::cast_slice(&spread).to_vec()),
                // What never changes is there already.
                _ if buffer.usage == BufferUse::Uniform => continue,
                name => Some(self.rounds.read::<u8>(name)?),
            };
        }
        let next_event: Vec<u64> = self.rounds.read("next_event")?;
        self.rounds.reload(self.device, parts, &next_event)?;
        self.layout = layout;
        self.growing += begin.elapsed();
        Ok(())
    }
}
