//! Cells on a device: in rounds of two dispatches. In a round go the cells whose event is the earliest of all, and those
//! whose event nothing can forestall: any other is so many lookaheads away that what it causes comes later. Where no order
//! of events matters ([`FirstPassage`]) none is kept.

mod layout;
mod log;
mod model;
mod options;
mod parts;
mod passage;
mod reach;
mod start;
mod state;

use std::time::{Duration, Instant};

use super::CellOutcome;
use super::model::check;
use crate::cells::CellError;
use crate::device::{AdapterDescription, Device};
use crate::engine::{ModelParts, Rounds};
use crate::run::{Progress, Run, Watch, unwatched};
use crate::time::Time;
use layout::Layout;
use log::Intake;
pub use model::{CellKernels, DeviceCells, FirstPassage};
pub use options::CellOptions;
use passage::Passage;

/// The kernels and buffers of a model, with as many replications as run at once, and with a log or without.
///
/// # Errors
/// A model that does not fit the adapter, or does not start.
pub fn parts(
    model: &impl DeviceCells,
    options: &CellOptions<'_>,
    adapter: &AdapterDescription,
    logged: bool,
) -> Result<ModelParts, CellError> {
    let layout = Layout::new(model, options, adapter, logged)?;
    let passage = if options.ordered { None } else { model.first_passage() };
    match passage {
        Some(passage) => Ok(passage::parts(model, &layout, options, &passage, &(0..layout.together))),
        None => layout.parts(model, 0..model.replications()),
    }
}

/// Runs a model on a device.
pub(super) fn run(
    model: &impl DeviceCells,
    device: &dyn Device,
    mut options: CellOptions<'_>,
    watch: &mut dyn Watch,
) -> Result<Run<CellOutcome>, CellError> {
    let mut log = options.log.take();
    let options = &options;
    check(model)?;
    let begin = Instant::now();
    let mut passage = if options.ordered { None } else { model.first_passage() };
    let mut layout = Layout::new(model, options, device.adapter(), log.is_some() && passage.is_none())?;
    let mut all = Run {
        outcome: CellOutcome { size: model.space().size(), ..CellOutcome::default() },
        events: 0,
        rounds: Some(0),
        clock: model.until(),
        wall: Duration::ZERO,
        device: None,
        setup: begin.elapsed(),
        timings: vec![],
        interrupted: false,
        details: (),
    };
    let mut first = 0;
    while first < model.replications() && !all.interrupted {
        let last = first.saturating_add(layout.together).min(model.replications());
        if let Some(unordered) = &passage {
            let before = all.outcome.next.len();
            let alone = Passage { model, layout: &layout, device, options };
            if !alone.run(unordered, first..last, watch, &mut all)? {
                passage = None;
                layout = Layout::new(model, options, device.adapter(), log.is_some())?;
                continue;
            }
            if let Some(log) = &mut log {
                let begin = Instant::now();
                passage::write(model, &all.outcome, before, first, *log)?;
                all.wall += begin.elapsed();
            }
        } else {
            let intake = layout.log.zip(log.as_deref_mut()).map(|(room, log)| Intake::new(room, first, log));
            Batch { model, layout: &layout, device, options }.run(first..last, watch, intake, &mut all)?;
        }
        first = last;
    }
    all.events = all.outcome.transitions;
    Ok(all)
}

/// Replications that run together.
struct Batch<'a, 'log, M> {
    model: &'a M,
    layout: &'a Layout,
    device: &'a dyn Device,
    options: &'a CellOptions<'log>,
}

impl<M: DeviceCells> Batch<'_, '_, M> {
    fn run(
        &self,
        replications: std::ops::Range<u32>,
        watch: &mut dyn Watch,
        mut log: Option<Intake>,
        all: &mut Run<CellOutcome>,
    ) -> Result<(), CellError> {
        let begin = Instant::now();
        let until = self.model.until();
        let parts = self.layout.parts(self.model, replications.clone())?;
        let mut rounds = Rounds::start(self.device, parts, &self.options.rounds)?;
        all.setup += begin.elapsed();
        let (before, wall) = (all.outcome.transitions, all.wall);
        let mut adding = |progress: &Progress| {
            let (events, elapsed) = (before + progress.events, wall + progress.elapsed);
            watch.look(&Progress { events, elapsed, ..*progress })
        };
        let interrupted = self.go_on(&mut rounds, until, &mut adding, &mut log)?;
        let mut clock = until;
        if interrupted {
            clock = self.catch_up(&mut rounds, &replications, &mut log)?;
        }
        let logged = log.map_or(Ok(Duration::ZERO), Intake::finish)?;
        all.interrupted = interrupted;
        all.wall += rounds.wall() + logged;
        all.device = rounds.device().map(|time| all.device.unwrap_or_default() + time);
        all.rounds = all.rounds.map(|before| before + rounds.rounds());
        if all.timings.is_empty() {
            all.timings = rounds.timings();
        }
        if !interrupted || replications.start == 0 {
            all.clock = clock;
            state::outcome(&mut rounds, self.model, self.layout, replications.len() as u32, &mut all.outcome)?;
        }
        Ok(())
    }

    /// Runs every event before a limit; returns whether the watch stopped it.
    fn go_on(
        &self,
        rounds: &mut Rounds,
        limit: Time,
        watch: &mut dyn Watch,
        log: &mut Option<Intake>,
    ) -> Result<bool, CellError> {
        loop {
            let interrupted = rounds.run_until(limit, self.model.until(), watch)?;
            state::fault(rounds, self.model)?;
            let full = rounds.control().room != 0;
            if let Some(log) = log {
                log.take(rounds)?;
            }
            if interrupted || !full {
                return Ok(interrupted);
            }
            // A run that stops for its log has not been looked at.
            if watch.look(&rounds.progress(self.model.until())).is_break() {
                return Ok(true);
            }
        }
    }

    /// Replications are ahead of each other: all go on to where the first of them is.
    fn catch_up(
        &self,
        rounds: &mut Rounds,
        replications: &std::ops::Range<u32>,
        log: &mut Option<Intake>,
    ) -> Result<Time, CellError> {
        let count = replications.len();
        let place = self.layout.bounds_at(count as u32);
        let bounds: Vec<u64> = rounds.read_part("fronts", place, count)?;
        let clock = Time::from_ticks(bounds.into_iter().max().unwrap_or_default()).min(self.model.until());
        self.go_on(rounds, clock, &mut unwatched(), log)?;
        Ok(clock)
    }
}
