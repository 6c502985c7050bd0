//! A run in parts: replications with the same clock go on together.

use std::borrow::Cow;
use std::ops::Range;

use super::Checkpoint;
use crate::gpu::{CellOptions, DeviceCells};
use crate::replications::Replications;
use crate::run::whole;
use crate::{CellError, CellModel as _, CellOutcome};
use tickless_core::run::{Run, Watch};
use tickless_core::time::Time;
use tickless_device::Target;

/// Runs a model from a checkpoint on, or from time 0, to a new checkpoint: see [`run`](fn@crate::run).
///
/// # Errors
/// As [`run`](fn@crate::run).
pub(crate) fn run_from<M: DeviceCells>(
    model: &Replications<'_, M>,
    from: Option<&Checkpoint>,
    target: Target<'_>,
    options: CellOptions<'_>,
    watch: &mut dyn Watch,
) -> Result<Run<Checkpoint>, CellError> {
    let options = CellOptions { log: None, figures_only: false, ..options };
    let from = from.filter(|from| !from.clocks.is_empty());
    if let Some(from) = from {
        from.check(model)?;
    }
    let until = model.until();
    let at_once = matches!(target, Target::Device(_)) && !options.ordered;
    let in_no_order = |from: &&Checkpoint| {
        let changes = model.first_passage().is_none_or(|passage| passage.passing.changes());
        at_once && from.none_has_ended(model) && !changes
    };
    let from = from.filter(|from| !from.begins_again(model) && !in_no_order(from));
    let mut going = Going { model, target, options, all: None };
    let mut at = from.map_or_else(|| Cow::Owned(Checkpoint::of_none(model)), Cow::Borrowed);
    let mut goes_on = true;
    while let Some(group) = at.group(until).filter(|_| goes_on) {
        goes_on = going.part(&mut at, group, watch)?;
    }
    let begun = at.clocks.len() as u32;
    if goes_on && begun < model.count() {
        going.part(&mut at, begun..model.count(), watch)?;
    }
    let run = going.ended(&at);
    own(&mut at)?;
    Ok(run.map(|()| at.into_owned()))
}

/// A run in parts: replications that have the same clock.
struct Going<'a, 'log, M> {
    model: &'a Replications<'a, M>,
    target: Target<'a>,
    options: CellOptions<'log>,
    /// The times and counts of all parts.
    all: Option<Run<()>>,
}

impl<M: DeviceCells> Going<'_, '_, M> {
    /// Runs some replications, counted from the first of the model, as far as the watch lets them. Returns whether all of them
    /// have ended.
    fn part(
        &mut self,
        at: &mut Cow<'_, Checkpoint>,
        group: Range<u32>,
        watch: &mut dyn Watch,
    ) -> Result<bool, CellError> {
        let Self { model, target, options, all } = self;
        let from = (group.start < at.clocks.len() as u32).then_some(&at.outcome);
        let run = match whole(&model.part(group.clone(), from), *target, CellOptions { log: None, ..*options }, watch) {
            // What was done before stays.
            Err(error) if error.is_interrupted() && !at.clocks.is_empty() && all.is_some() => return Ok(false),
            run => run?,
        };
        let ended = !run.interrupted && run.clock == model.until();
        let (clock, count) = (run.clock, run.outcome.replications as usize);
        let mut found = None;
        let run = run.map(|outcome| found = Some(outcome));
        match all {
            Some(all) => all.add(&run),
            None => *all = Some(run),
        }
        if let Some(outcome) = found {
            take(at, group.start as usize, outcome, vec![clock; count])?;
        }
        Ok(ended)
    }

    fn ended(self, at: &Checkpoint) -> Run<()> {
        let until = self.model.until();
        let clock = at.clocks.iter().copied().min().unwrap_or(until);
        let interrupted = clock < until || at.outcome.replications < self.model.count();
        let run = self.all.unwrap_or_else(|| Run::nothing(clock, None, false));
        Run { clock, interrupted, ..run }
    }
}

/// Takes in the replications from `first` on, and their clocks.
fn take(
    at: &mut Cow<'_, Checkpoint>,
    first: usize,
    mut outcome: CellOutcome,
    clocks: Vec<Time>,
) -> Result<(), CellError> {
    if first == 0 && clocks.len() >= at.clocks.len() {
        outcome.transitions += at.outcome.transitions;
        outcome.imminent += at.outcome.imminent;
        *at = Cow::Owned(Checkpoint { outcome, clocks });
        return Ok(());
    }
    let at = own(at)?;
    at.outcome.put(first, outcome)?;
    let end = at.clocks.len().min(first + clocks.len());
    at.clocks.splice(first..end, clocks);
    Ok(())
}

/// The checkpoint to be changed; a checkpoint of the caller is copied first.
fn own<'c>(at: &'c mut Cow<'_, Checkpoint>) -> Result<&'c mut Checkpoint, CellError> {
    if matches!(at, Cow::Borrowed(_)) {
        at.room_for_a_copy()?;
    }
    Ok(at.to_mut())
}
