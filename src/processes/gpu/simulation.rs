//! Logical processes at work: rounds, and sets of pending events that grow where they must.

use std::time::Instant;

use rayon::prelude::*;

use super::layout::{Begin, Layout};
use super::model::DeviceModel;
use super::options::ProcessOptions;
use super::pending;
use super::records::Process;
use super::{state, totals};
use crate::device::{BufferUse, Device};
use crate::engine::{DeviceRun, Rounds};
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
}

/// Runs a model until its horizon or an interruption.
pub(super) fn run(
    model: &DeviceModel,
    device: &dyn Device,
    options: &ProcessOptions,
    watch: &mut dyn Watch,
) -> Result<Run<Outcome, ProcessDetails>, ProcessError> {
    let begin = Instant::now();
    let layout = Layout::new(model, options.pending, options, device.adapter())?;
    let parts = layout.parts(model, Begin::Start, device.adapter(), &options.rounds)?;
    let mut rounds = Rounds::start(device, parts, &options.rounds, watch)?;
    rounds.carefully();
    let mut simulation = Simulation { model, device, options, layout, rounds };
    let setup = begin.elapsed();
    let interrupted = simulation.run_until(model.until, watch)?;
    let Simulation { layout, mut rounds, .. } = simulation;
    let outcome = match layout.figures_only {
        true => totals::outcome(&mut rounds, model)?,
        false => state::outcome(&mut rounds, model, &layout)?,
    };
    let details = ProcessDetails { remote: None, pending: Some(layout.set), node: None };
    Ok(rounds.run(setup, interrupted, outcome, details))
}

impl DeviceRun for Simulation<'_> {
    type Error = ProcessError;

    fn rounds(&mut self) -> &mut Rounds {
        &mut self.rounds
    }

    fn until(&self) -> Time {
        self.model.until
    }

    /// Gives every set as many slots as a full one needs and some more. What is in inboxes goes into them then.
    fn make_room(&mut self) -> Result<bool, ProcessError> {
        state::fault(&mut self.rounds, self.model)?;
        let (old, needed) = (self.layout, self.rounds.control().room);
        if needed == 0 {
            return Ok(false);
        }
        let layout = old.grown(self.model, needed, self.rounds.clock().units(), self.device.adapter())?;
        let mut parts = layout.parts(self.model, Begin::Again, self.device.adapter(), &self.options.rounds)?;
        let mut processes: Vec<Process> = self.rounds.read("processes")?;
        let slots: Vec<[u32; 4]> = self.rounds.read("slots")?;
        let mut spread = vec![[0; 4]; processes.len() * layout.set_words()];
        let sets = slots.par_chunks(old.set_words()).zip(spread.par_chunks_mut(layout.set_words()));
        let words = layout.slot_words();
        processes
            .par_iter_mut()
            .zip(sets)
            .for_each(|(process, (old, new))| pending::spread(layout.set, process, old, new, words));
        for buffer in &mut parts.buffers {
            buffer.contents = match buffer.name {
                "processes" => Some(bytemuck::cast_slice(&processes).to_vec()),
                "slots" => Some(bytemuck::cast_slice(&spread).to_vec()),
                // What is made at the end, and what never changes.
                "results" => continue,
                _ if buffer.usage == BufferUse::Uniform => continue,
                name => Some(self.rounds.read::<u8>(name)?),
            };
        }
        let next_event: Vec<u64> = self.rounds.read("next_event")?;
        self.rounds.reload(self.device, parts, &next_event, &mut unwatched())?;
        self.layout = layout;
        Ok(true)
    }
}
