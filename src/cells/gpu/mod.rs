//! Cells on a device: in rounds of two dispatches. A round executes the events of the cells whose event is the earliest of
//! all, and of the cells whose event nothing can forestall: events of any other cell take several lookaheads to reach
//! them, and so come later. Where no order of events matters ([`FirstPassage`]) none is kept.

mod layout;
mod log;
mod model;
mod options;
mod parts;
mod passage;
mod reach;
mod start;
mod state;
mod totals;

use std::ops::Range;
use std::time::Instant;

use super::CellOutcome;
use super::model::check;
use super::replications::Replications;
use crate::{CellError, CellModel as _};
use layout::{Layout, Scheme};
use log::Intake;
pub use model::{CellKernels, DeviceCells};
#[doc(hidden)]
pub use model::{FirstPassage, Passing};
pub use options::CellOptions;
use passage::Passage;
use tickless_core::memory;
use tickless_core::run::{Adding, Pause, Run, Watch, Whole};
use tickless_core::time::Time;
use tickless_device::{AdapterDescription, Device};
use tickless_engine::{DeviceRun, ModelParts, Rounds};

/// The kernels and buffers of those of these replications that run at once, with a log or without.
///
/// # Errors
/// A model that does not fit the adapter, or does not start.
pub fn parts<M: DeviceCells>(
    model: &M,
    replications: Range<u32>,
    options: &CellOptions<'_>,
    adapter: &AdapterDescription,
    logged: bool,
) -> Result<ModelParts, CellError> {
    let prepared = model.prepared(&replications)?;
    let model = &Replications::new(prepared.as_ref().unwrap_or(model), replications)?;
    let passage = passage_of(model, options);
    let layout = Layout::new(model, options, adapter, scheme(passage.is_some(), logged))?;
    let parts = match passage {
        Some(passage) => {
            let added_up = (options.figures_only && !logged).then_some(adapter.kind);
            passage::parts(
                model,
                &layout,
                options,
                (&passage, added_up),
                &(model.first()..model.first() + layout.at_once),
            )?
        }
        None => layout.parts(model, model.numbers.clone())?,
    };
    parts.check(adapter)?;
    Ok(parts)
}

/// Runs replications on a device.
pub(super) fn run(
    model: &Replications<'_, impl DeviceCells>,
    device: &dyn Device,
    mut options: CellOptions<'_>,
    watch: &mut dyn Watch,
) -> Result<Run<CellOutcome>, CellError> {
    let mut log = options.log.take();
    let options = &options;
    check(model)?;
    let begin = Instant::now();
    let mut passage = passage_of(model, options);
    let mut layout = Layout::new(model, options, device.adapter(), scheme(passage.is_some(), log.is_some()))?;
    let Range { start: base, end } = model.numbers;
    let outcome = CellOutcome { size: model.space().size(), first_replication: base, ..CellOutcome::default() };
    let mut all =
        Run { setup: begin.elapsed(), device: None, ..Run::nothing(model.until(), None, true).map(|()| outcome) };
    let figures_only = options.figures_only && passage.is_some() && log.is_none();
    if model.count() > 1 && !figures_only {
        all.outcome.reserve(model)?;
    }
    let mut first = base;
    while first < end && !all.interrupted {
        let last = first.saturating_add(layout.at_once).min(end);
        if let Some(unordered) = &passage {
            let before = all.outcome.next.len();
            let alone = Passage { model, layout: &layout, device, options, figures_only };
            if !alone.run(unordered, first..last, watch, &mut all)? {
                passage = None;
                layout = Layout::new(model, options, device.adapter(), Scheme::InOrder { logged: log.is_some() })?;
                continue;
            }
            if let Some(log) = &mut log {
                let begin = Instant::now();
                passage::write(model, &all.outcome, before, first, *log)?;
                all.wall += begin.elapsed();
            }
        } else {
            let begin = Instant::now();
            let parts = layout.parts(model, first..last)?;
            let mut rounds = Rounds::start(device, parts, &options.rounds, watch)?;
            let most_cycles = options.most_cycles.unwrap_or_else(|| model.space().most_cycles());
            rounds.may_stand_still(most_cycles);
            if model.elapsed() {
                start::write_last(&mut rounds, model, &layout, first..last)?;
            }
            let log = layout.log.zip(log.as_mut()).map(|(room, log)| Intake::new(room, first, &mut **log));
            all.setup += begin.elapsed();
            Batch { model, layout: &layout, replications: first..last, most_cycles, log, rounds }
                .run(watch, &mut all)?;
        }
        // Events in order, or a mere start, are returned as arrays.
        if figures_only && !all.outcome.next.is_empty() {
            all.outcome.add_up(first);
        }
        first = last;
        all.interrupted |= first < end && watch.pause(Pause::BetweenReplications);
    }
    all.events = all.outcome.transitions;
    Ok(all)
}

/// # Errors
/// A model without kernels.
fn kernels_of(model: &impl DeviceCells) -> Result<CellKernels, CellError> {
    let why = "the model has no kernels: run it on the heap, or let DeviceCells::kernels give them";
    model.kernels().ok_or(CellError::HeapOnly { why })
}

/// A model that is to run as first passages. Fronts have no other order.
fn passage_of(model: &impl DeviceCells, options: &CellOptions<'_>) -> Option<FirstPassage> {
    if options.ordered && model.fronts().is_none() { None } else { model.first_passage() }
}

fn scheme(has_passage: bool, logged: bool) -> Scheme {
    if has_passage { Scheme::FirstPassages } else { Scheme::InOrder { logged } }
}

/// Replications that run together.
struct Batch<'a, 'l, M> {
    model: &'a Replications<'a, M>,
    layout: &'a Layout,
    replications: Range<u32>,
    /// The number of cycles at one time that is too large.
    most_cycles: u64,
    log: Option<Intake<'l>>,
    rounds: Rounds,
}

impl<M: DeviceCells> DeviceRun for Batch<'_, '_, M> {
    type Error = CellError;

    fn rounds(&mut self) -> &mut Rounds {
        &mut self.rounds
    }

    fn until(&self) -> Time {
        self.model.until()
    }

    /// The entries of a full log are read and passed on.
    fn make_room(&mut self) -> Result<bool, CellError> {
        state::fault(&self.rounds, self.model)?;
        if let Some(rounds) = self.rounds.stands_still() {
            let cycles = rounds.min(self.most_cycles + 1);
            return Err(self.model.illegitimate(Time::from_ticks(self.rounds.control().minimum), cycles));
        }
        let full = self.rounds.control().room != 0;
        if let Some(log) = &mut self.log {
            log.take(&mut self.rounds)?;
        }
        Ok(full)
    }

    /// Replications are ahead of each other.
    fn furthest(&mut self) -> Result<Time, CellError> {
        let count = self.replications.len();
        let bounds: Vec<u64> = self.rounds.read_part("fronts", self.layout.bounds_at(count as u32), count)?;
        Ok(Time::from_ticks(bounds.into_iter().max().unwrap_or_default()))
    }
}

impl<M: DeviceCells> Batch<'_, '_, M> {
    fn run(mut self, watch: &mut dyn Watch, all: &mut Run<CellOutcome>) -> Result<(), CellError> {
        let mut adding = Adding::new(watch, all.outcome.transitions, all.wall);
        // Of later replications nothing is kept that is not whole.
        let first = self.replications.start == self.model.first();
        all.interrupted = if first {
            self.run_until(self.model.until(), &mut adding)?
        } else {
            self.run_until(self.model.until(), &mut Whole(&mut adding))?
        };
        let Self { model, layout, replications, mut log, mut rounds, .. } = self;
        let begin = Instant::now();
        log.as_mut().map_or(Ok(()), Intake::finish)?;
        all.wall += begin.elapsed();
        rounds.add_to(all);
        if !all.interrupted || replications.start == model.first() {
            all.clock = rounds.clock();
            memory::room::<u32>(model.space().cells() as usize, "the order of the cells")?;
            let count = replications.len() as u32;
            let order = state::Order::new(model, layout, count);
            state::outcome(&mut rounds, model, layout.slots(count) as usize, &order, &mut all.outcome)?;
        }
        Ok(())
    }
}
