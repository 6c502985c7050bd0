//! Cells whose only event is their first passage: no order is kept, since none matters.

use std::ops::{ControlFlow, Range};
use std::time::Instant;

use rayon::prelude::*;

use super::kernels_of;
use super::layout::{BLOCK, Layout};
use super::model::{DeviceCells, FirstPassage, Passing};
use super::options::CellOptions;
use super::parts::{SpaceParameters, constants};
use super::start::Start;
use super::state::Order;
use super::totals;
use crate::log::{CellLog, LogError};
use crate::replications::Replications;
use crate::{Cell, CellError, CellModel as _, CellOutcome};
use tickless_core::run::{Progress, Run, Watch};
use tickless_core::time::Time;
use tickless_device::{AdapterKind, BufferSpec, BufferUse, Device};
use tickless_engine::{ModelParts, ModelStatus, Rounds, Stage, StageKernel, Work};
use tickless_kernels::Mounts;

/// The number of replications at once with which a device has enough work even if only urgent work is done.
const MANY: u32 = 16;
/// The span of times at work in a round, in usual delays: for few replications so long that rounds are hardly more, for many
/// so short that blocks are seldom visited before the times that they depend on are final.
const PATIENCE: u64 = 32;
const PATIENCE_OF_MANY: u64 = 4;
/// The highest urgency, as in `shaders/cells/passage.wgsl`.
const URGENCY: u64 = 0x7fff_ffff;

/// Replications that run together, without order.
pub(super) struct Passage<'a, 'log, M> {
    pub(super) model: &'a Replications<'a, M>,
    pub(super) layout: &'a Layout,
    pub(super) device: &'a dyn Device,
    pub(super) options: &'a CellOptions<'log>,
    /// Whether the device adds up the results.
    pub(super) figures_only: bool,
}

impl<M: DeviceCells> Passage<'_, '_, M> {
    /// Runs the replications to the horizon, and says whether it got there or the watch stopped it. Where times do not
    /// settle within the usual number of rounds, it returns so and adds nothing: the events are then better taken in order.
    pub(super) fn run(
        &self,
        passage: &FirstPassage,
        replications: Range<u32>,
        watch: &mut dyn Watch,
        all: &mut Run<CellOutcome>,
    ) -> Result<bool, CellError> {
        let begin = Instant::now();
        let until = self.model.until();
        let added_up = self.figures_only.then(|| self.device.adapter().kind);
        let parts = parts(self.model, self.layout, self.options, (passage, added_up), &replications)?;
        let mut rounds = Rounds::start(self.device, parts, &self.options.rounds, watch)?;
        all.setup += begin.elapsed();
        let (before, wall, mut stopped) = (all.outcome.transitions, all.wall, false);
        let most = if passage.passing.changes() { self.usual_rounds() } else { u64::MAX };
        let mut adding = |progress: &Progress| {
            let elapsed = wall + progress.elapsed;
            stopped |= watch.look(&Progress { events: before, elapsed, ..*progress }).is_break();
            if stopped || progress.rounds > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let unsettled = rounds.run_until(until, until, &mut adding)?;
        rounds.add_to(all);
        if unsettled {
            if stopped {
                self.interrupted(&replications, all)?;
            }
            return Ok(stopped);
        }
        all.interrupted = stopped && replications.end < self.model.numbers.end;
        let counted = rounds.wall();
        rounds.run_last()?;
        all.wall += rounds.wall() - counted;
        self.outcome(&mut rounds, &replications, all)?;
        Ok(true)
    }

    /// The rounds that a front takes through a space, and some more.
    fn usual_rounds(&self) -> u64 {
        64 + self.model.space().size().into_iter().map(u64::from).sum::<u64>()
    }

    /// Before times have settled none is final. Where no replication is finished, the first is returned at its start.
    fn interrupted(&self, replications: &Range<u32>, all: &mut Run<CellOutcome>) -> Result<(), CellError> {
        all.interrupted = true;
        if replications.start > self.model.first() {
            return Ok(());
        }
        all.clock = Time::ZERO;
        all.outcome.replications += 1;
        for id in 0..self.model.space().cells() {
            let mut state = [0; 2];
            all.outcome.next.push(self.model.initialize(
                Cell { id, replication: replications.start },
                &mut state,
                &mut [],
            )?);
            all.outcome.state.extend(state);
        }
        Ok(())
    }

    /// The outcome of the times.
    fn outcome(
        &self,
        rounds: &mut Rounds,
        replications: &Range<u32>,
        all: &mut Run<CellOutcome>,
    ) -> Result<(), CellError> {
        let count = replications.len() as u32;
        let [transitions, imminent] = counts(rounds, self.layout, count)?;
        all.outcome.replications += count;
        all.outcome.transitions += transitions;
        all.outcome.imminent += imminent;
        if self.figures_only {
            return Ok(totals::read(rounds, count, &mut all.outcome)?);
        }
        let order = Order::new(self.model, self.layout, count);
        times(rounds, &order, self.model.until(), &mut all.outcome)
    }
}

/// The transitions of all cells, and of imminent ones, that have been counted.
///
/// # Errors
/// A lost device.
pub(super) fn counts(rounds: &mut Rounds, layout: &Layout, replications: u32) -> Result<[u64; 2], CellError> {
    let groups = layout.groups as usize * replications as usize;
    let blocks = layout.slots(replications) as usize / BLOCK as usize;
    let counts: Vec<[u32; 2]> = rounds.read_part("flags", blocks, groups)?;
    Ok([0, 1].map(|which| counts.iter().map(|counts| u64::from(counts[which])).sum()))
}

/// Adds the times of cells in an order: before the horizon as their states, and else as their next own events.
///
/// # Errors
/// A lost device.
pub(super) fn times(
    rounds: &mut Rounds,
    order: &Order,
    until: Time,
    outcome: &mut CellOutcome,
) -> Result<(), CellError> {
    let plans: Vec<u64> = rounds.read("plans")?;
    let event = |slot: usize| Time::from_ticks(plans[slot]);
    let state = |slot: usize| if event(slot) < until { plans[slot] } else { u64::MAX };
    let words = |slot| [state(slot) as u32, (state(slot) >> 32) as u32];
    outcome.state.par_extend(order.cells().flat_map_iter(words));
    let next = |slot| if event(slot) < until { Time::NEVER } else { event(slot) };
    outcome.next.par_extend(order.cells().map(next));
    Ok(())
}

/// Gives a log the outputs of replications from `first` on, whose cells begin with the `before`-th of an outcome.
pub(super) fn write(
    model: &impl DeviceCells,
    outcome: &CellOutcome,
    before: usize,
    first: u32,
    log: &mut dyn CellLog,
) -> Result<(), CellError> {
    let cells = outcome.cells();
    for (replication, states) in (first..).zip(outcome.state[2 * before..].chunks(2 * cells)) {
        let time = |words: &[u32]| Time::from_ticks(u64::from(words[1]) << 32 | u64::from(words[0]));
        let events = states.par_chunks(2).enumerate().map(|(id, words)| (time(words), id as u32));
        let mut events: Vec<_> = events.filter(|(time, _)| *time < model.until()).collect();
        events.par_sort_unstable();
        for (time, id) in events {
            log.sent(Cell { id, replication }, time, &[]).map_err(LogError::Write)?;
        }
    }
    Ok(())
}

/// The kernels and buffers of these replications. With a kind of adapter the device adds up the results.
pub(super) fn parts(
    model: &impl DeviceCells,
    layout: &Layout,
    options: &CellOptions,
    (passage, added_up): (&FirstPassage, Option<AdapterKind>),
    replications: &Range<u32>,
) -> Result<ModelParts, CellError> {
    let count = replications.len() as u32;
    let kernels = kernels_of(model)?;
    let groups = layout.groups * count;
    let kernel = |label| kernel(model, layout, passage, label);
    let first = |label, threads| Stage::of_threads(kernel(label), threads);
    let stage = |label| Stage { kernel: kernel(label), work: Work::Workgroups(groups) };
    let starts = starts(model, layout, passage, replications);
    let begins = passage.passing.changes().then(|| first("cells/passage_begins", layout.slots(count)));
    let own = [first("cells/passage_clear", layout.slots(count)), first("cells/passage_start", starts.len() as u32)];
    let mut parts = ModelParts {
        label: kernels.label,
        entities: 1,
        lookahead: model.lookahead(),
        first: own.into_iter().chain(begins).collect(),
        sizes: layout.sizes(),
        round: vec![stage("cells/passage_relax"), stage("cells/passage_commit")],
        rounds_each: 1,
        status: ModelStatus::new("cells/passage_status", &[0_u32; 4]),
        last: vec![stage("cells/passage_count")],
        results: vec![],
        buffers: buffers(model, layout, options, passage, replications, (starts, kernels.buffers)),
    };
    if let Some(kind) = added_up {
        totals::add_up(&mut parts, kernel("cells/add_passages"), [layout.slots(count), count], kind);
    }
    Ok(parts)
}

/// A kernel with the modules that it mounts for a passage.
pub(super) fn kernel(
    model: &impl DeviceCells,
    layout: &Layout,
    passage: &FirstPassage,
    label: &'static str,
) -> StageKernel {
    let (mounts, own) = relaxation(&passage.passing, layout);
    let kernel = StageKernel::new(label, &mounts).with_constants(&(constants(model) + &own));
    // The lanes of a relaxation take different numbers of turns, and reduce what they find for the next block.
    StageKernel { subgroups: false, ..kernel }
}

/// The modules and constants by which passages go from cell to cell.
fn relaxation(passing: &Passing, layout: &Layout) -> (Mounts, String) {
    match passing {
        Passing::Delays { delays, changing } => {
            let passages = if *changing { "cells/passage_changing" } else { "cells/passage_steady" };
            let mounts = Mounts::default().with("relaxation", "cells/relax_delays");
            (mounts.with("delays", delays.clone().unchecked()).with("passages", passages), String::new())
        }
        Passing::Fronts { modules, reach } => {
            let [columns, rows] = [1 << layout.tile[0], layout.tile[1]].map(|along| along + 2 * reach);
            let constants = format!(
                "const REACH: u32 = {reach}u;\nconst AREA_WIDTH: u32 = {columns}u;\nconst AREA: u32 = {}u;\n",
                columns * rows
            );
            (modules.clone().with("relaxation", "cells/relax_fronts"), constants)
        }
    }
}

/// Slot and time of each start.
fn starts(
    model: &impl DeviceCells,
    layout: &Layout,
    passage: &FirstPassage,
    replications: &Range<u32>,
) -> Vec<[u32; 4]> {
    let (space, each) = (model.space(), layout.slots(1));
    let own = passage.starts.iter().filter(|(replication, ..)| replications.contains(replication));
    let start = |&(replication, cell, time): &(u32, u32, Time)| {
        let slot = (replication - replications.start) * each + layout.slot(space.place(cell));
        [slot, time.ticks() as u32, (time.ticks() >> 32) as u32, 0]
    };
    own.map(start).collect()
}

fn buffers(
    model: &impl DeviceCells,
    layout: &Layout,
    options: &CellOptions,
    passage: &FirstPassage,
    replications: &Range<u32>,
    (starts, model_buffers): (Vec<[u32; 4]>, Vec<BufferSpec>),
) -> Vec<BufferSpec> {
    let start = Start { contents: vec![], slots: 0, differences: vec![], differing: starts.len() as u32 };
    let [coarse, patience] = urgency(model.until(), replications.len() as u32, options, passage);
    let parameters = SpaceParameters { coarse, patience, ..layout.parameters(model.space(), replications, &start) };
    let slots = u64::from(parameters.slots);
    let count = u64::from(parameters.replications);
    let words = slots / u64::from(BLOCK) * 2 + 2 * u64::from(layout.groups) * count;
    let mut buffers = vec![
        BufferSpec::storage("plans", slots, 8),
        BufferSpec::storage("proposals", slots, 8),
        BufferSpec::storage("flags", words, 4),
        BufferSpec::filled("space", BufferUse::Uniform, bytemuck::bytes_of(&parameters).to_vec()),
        BufferSpec::filled("starts", BufferUse::Storage, first_of(&starts)),
    ];
    if passage.passing.changes() {
        buffers.push(BufferSpec::storage("begins", slots, 8));
    }
    if let Passing::Fronts { .. } = passage.passing {
        buffers.push(BufferSpec::storage("changes", slots + slots / u64::from(BLOCK), 4));
    }
    buffers.extend(model_buffers);
    buffers
}

/// The starts, or an unused entry where there is none.
fn first_of(starts: &[[u32; 4]]) -> Vec<u8> {
    bytemuck::cast_slice(if starts.is_empty() { &[[0; 4]] } else { starts }).to_vec()
}

/// The low bits of a time that urgency leaves out, and how much less urgent than the most urgent a block at work may
/// be.
fn urgency(until: Time, replications: u32, options: &CellOptions, passage: &FirstPassage) -> [u32; 2] {
    let coarse = (u64::BITS - until.ticks().leading_zeros()).saturating_sub(31).clamp(1, 31);
    let patience = if replications < MANY { PATIENCE } else { PATIENCE_OF_MANY };
    let suits = Time::from_ticks(passage.usual.ticks().saturating_mul(patience));
    let patience = options.patience.unwrap_or(suits).ticks() >> coarse;
    [coarse, patience.min(URGENCY) as u32]
}
