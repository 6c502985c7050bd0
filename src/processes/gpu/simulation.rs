//! Logical processes at work: rounds, and sets of pending events that grow where they must.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::candidates::Candidates;
use super::chooser::{Chooser, Next};
use super::layout::{Begin, Layout};
use super::records::Process;
use super::{DeviceModel, PendingSet, ProcessOptions, state};
use crate::device::{BufferUse, Device};
use crate::engine::Rounds;
use crate::processes::ProcessError;
use crate::processes::{Outcome, ProcessDetails};
use crate::run::{Progress, Run, Watch, unwatched};
use crate::time::Time;

/// A model at work.
struct Simulation<'a> {
    model: &'a DeviceModel,
    device: &'a dyn Device,
    options: &'a ProcessOptions,
    /// Its set is the one that events are kept in.
    layout: Layout,
    rounds: Rounds,
    chooser: Chooser,
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
    let candidates = Candidates::new(model, options, device.adapter());
    let layout = Layout::new(model, candidates.sets[0], options, device.adapter())?;
    let mut rounds = Rounds::start(device, layout.parts(model, Begin::Start, &candidates.sets), &options.rounds)?;
    rounds.carefully();
    let chooser = Chooser::new(options.pending, options.calibration, candidates);
    let mut simulation = Simulation { model, device, options, layout, rounds, chooser, growing: Duration::ZERO };
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
        details: ProcessDetails { remote: None, pending: Some(simulation.chooser.report(simulation.layout.set)) },
    })
}

impl Simulation<'_> {
    /// Every event before `limit`, or before the clock at which the watch stops it: processes that were held back catch up.
    fn run_until(&mut self, limit: Time, watch: &mut dyn Watch) -> Result<bool, ProcessError> {
        let interrupted = self.rounds_until(limit, watch)?;
        if interrupted {
            let clock = Time::from_ticks(self.rounds.control().bound);
            self.chooser.stop(self.layout.set);
            self.rounds_until(limit.min(clock), &mut unwatched())?;
        }
        Ok(interrupted)
    }

    /// One round after the other, with more room where a set is full.
    fn rounds_until(&mut self, limit: Time, watch: &mut dyn Watch) -> Result<bool, ProcessError> {
        loop {
            let interrupted = self.advance(limit, watch)?;
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

    /// Rounds until the limit, or until a set is full, with the sets of the chooser.
    fn advance(&mut self, limit: Time, watch: &mut dyn Watch) -> Result<bool, ProcessError> {
        let until = self.model.until;
        loop {
            match self.chooser.next() {
                Next::On(set) => {
                    self.turn_to(set)?;
                    let mut pausing = Pausing { watch: &mut *watch, chooser: &self.chooser, due: false, broken: false };
                    let stopped = self.rounds.run_until(limit, until, &mut pausing)?;
                    if !stopped || pausing.broken {
                        return Ok(stopped);
                    }
                    self.chooser.again();
                }
                Next::Piece(set, rounds) => {
                    self.turn_to(set)?;
                    let piece = self.rounds.piece(rounds, limit, until)?;
                    if self.rounds.control().running == 0 {
                        return Ok(false);
                    }
                    let progress = self.rounds.progress(until);
                    self.chooser.took(piece, &progress);
                    if watch.look(&progress) == ControlFlow::Break(()) {
                        return Ok(true);
                    }
                }
            }
        }
    }

    /// Keeps events in another set from now on. A splay tree never takes the place of another.
    fn turn_to(&mut self, set: PendingSet) -> Result<(), ProcessError> {
        let old = std::mem::replace(&mut self.layout.set, set);
        let sets = self.chooser.sets();
        let Some(place) = sets.iter().position(|&other| other == set).filter(|_| old != set) else { return Ok(()) };
        if let Some(kind) =
            PendingSet::converted(sets).iter().position(|&kind| kind == old.kind() && kind != set.kind())
        {
            // Behind the rounds of all sets.
            let time = self.rounds.once(sets.len() + kind)?;
            self.chooser.converted(time);
        }
        Ok(self.rounds.turn_to(place)?)
    }

    /// Gives every set so many slots and some more. What is in inboxes goes into them then.
    fn grow(&mut self, needed: u32) -> Result<(), ProcessError> {
        let begin = Instant::now();
        let clock = Time::from_ticks(self.rounds.control().bound).units();
        let old = self.layout;
        let layout = old.grown(self.model, needed, clock, self.device.adapter())?;
        let mut parts = layout.parts(self.model, Begin::Again, self.chooser.sets());
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
        self.rounds.reload(self.device, parts, &next_event, &self.options.rounds)?;
        self.layout = layout;
        self.growing += begin.elapsed();
        Ok(())
    }
}

/// A watch that also stops a run where sets are to be tried again.
struct Pausing<'a> {
    watch: &'a mut dyn Watch,
    chooser: &'a Chooser,
    due: bool,
    broken: bool,
}

impl Watch for Pausing<'_> {
    fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.broken |= self.watch.look(progress) == ControlFlow::Break(());
        self.due |= self.chooser.due(progress);
        if self.due || self.broken { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
