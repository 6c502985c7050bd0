//! A run in parts: replications with one clock go on together.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::capability;
use crate::checkpoint::{Checkpoint, End, State};
use crate::member::{Member, MemberError};
use crate::reference::{self, OfMember};
use crate::{NetworkDetails, NetworkModel, NetworkOptions, NetworkOutcome, QueueingError, gpu};
use tickless_core::memory;
use tickless_core::run::{Interrupted, Mapped, Run, RunMode, Snapshot, SnapshotWatch, WithoutSnapshots};
use tickless_core::time::Time;
use tickless_device::Target;

/// A copy of a run for a snapshot.
pub type Stood = Snapshot<Checkpoint, NetworkDetails, QueueingError>;

/// A run in parts: replications that have the same clock.
pub(super) struct Going<'a> {
    model: &'a NetworkModel,
    target: Target<'a>,
    options: NetworkOptions,
    replications: Range<u32>,
    /// The state so far. It is copied where only some replications go on.
    at: Cow<'a, Checkpoint>,
    /// The state at the beginning, for snapshots that outlive it.
    pub(super) shared: Option<Arc<Checkpoint>>,
    /// The counts and durations of all parts.
    all: Option<Run<(), NetworkDetails>>,
}

impl<'a> Going<'a> {
    /// A run from a checkpoint on, or from time 0, to a checkpoint.
    ///
    /// # Errors
    /// A network that cannot resume, a checkpoint of another network.
    pub(super) fn new(
        model: &'a NetworkModel,
        replications: Range<u32>,
        from: Option<&'a Checkpoint>,
        target: Target<'a>,
        options: NetworkOptions,
    ) -> Result<Self, QueueingError> {
        capability::check_checkpoints(model, !matches!(target, Target::Device(_)))?;
        let options = NetworkOptions { figures_only: false, ..options };
        if let Some(from) = from {
            from.check(model, replications.len())?;
        }
        let at = from.map_or_else(|| Cow::Owned(Checkpoint::default()), Cow::Borrowed);
        Ok(Self { model, target, options, replications, at, shared: None, all: None })
    }

    pub(super) fn run(
        mut self,
        watch: &mut dyn SnapshotWatch<Stood>,
    ) -> Result<Run<Checkpoint, NetworkDetails>, QueueingError> {
        let mut goes_on = true;
        while let Some(group) = self.at.group(self.model.until()).filter(|_| goes_on) {
            goes_on = self.part(group, watch)?;
        }
        let begun = self.at.clocks.len();
        if goes_on && begun < self.replications.len() {
            self.part(begun..self.replications.len(), watch)?;
        }
        self.ended()
    }

    /// Runs some replications as far as the watch lets them. Returns whether all of them have ended.
    fn part(&mut self, group: Range<usize>, watch: &mut dyn SnapshotWatch<Stood>) -> Result<bool, QueueingError> {
        let model = self.model;
        let clock = self.at.clocks.get(group.start).copied().unwrap_or_default();
        let states = self.at.states.get(group.clone()).unwrap_or_default();
        // The checkpoint of a network of classes has its counts.
        let warmup = if model.rules_of_classes().is_some() { model.warmup() } else { model.warmup().max(clock) };
        let begins = NetworkModel { warmup, ..model.clone() };
        let first = self.replications.start;
        let numbers = first + group.start as u32..first + group.end as u32;
        let mode = RunMode::restartable(Some(states).filter(|states| !states.is_empty()));
        let (before, begun, warmup) = (&self.shared, &[(&begins, numbers)], model.warmup());
        // A snapshot holds all replications, so a part of them makes none.
        let run = if group.len() == self.replications.len() {
            let map = |ends| stood(ends, before.clone(), (clock, warmup));
            on_target(begun, mode, self.target, &self.options, &mut Mapped { watch, map })
        } else {
            on_target(begun, mode, self.target, &self.options, &mut WithoutSnapshots(watch))
        };
        let run = match run.map_err(|error| *error.error) {
            // The earlier parts stay.
            Err(error) if error.is_interrupted() && !self.at.clocks.is_empty() && self.all.is_some() => {
                return Ok(false);
            }
            run => run?,
        };
        let (ended, reached, count) = (!run.interrupted, run.clock, run.outcome.len());
        let mut ends = vec![];
        let run = run.map(|found| ends = found);
        self.take(group.start, ends, (clock, reached))?;
        match &mut self.all {
            None => self.all = Some(run),
            Some(all) => {
                all.details.add(all.rounds.unwrap_or_default(), &run.details, run.rounds.unwrap_or_default());
                all.add(&run);
            }
        }
        Ok(ended && count == group.len())
    }

    /// Takes in the ends of replications, from this one on, that have gone on from one time to another.
    fn take(&mut self, first: usize, ends: Vec<End>, times: (Time, Time)) -> Result<(), QueueingError> {
        let count = ends.len();
        let before = self.at.outcomes.get(first..).unwrap_or_default();
        let before = if self.model.rules_of_classes().is_some() { &[] } else { before };
        let next = next(before, ends, times, self.model.warmup())?;
        if first == 0 && count >= self.at.clocks.len() {
            self.at = Cow::Owned(next);
            return Ok(());
        }
        let at = own(&mut self.at)?;
        let end = at.clocks.len().min(first + count);
        at.outcomes.splice(first..end, next.outcomes);
        at.clocks.splice(first..end, next.clocks);
        at.states.splice(first..end, next.states);
        Ok(())
    }

    fn ended(mut self) -> Result<Run<Checkpoint, NetworkDetails>, QueueingError> {
        own(&mut self.at)?;
        let Self { model, at, all, replications, .. } = self;
        let at = at.into_owned();
        let clock = at.clocks.iter().copied().min().unwrap_or(model.until());
        let interrupted = clock < model.until() || at.clocks.len() < replications.len();
        let run = all.unwrap_or_else(|| Run::nothing(clock, None, false));
        Ok(Run { clock, interrupted, ..run }.map(|()| at))
    }
}

/// Runs replications of one network, or of several that are [alike](gpu::are_alike) on a device.
pub(super) fn on_target(
    members: &[Member<'_>],
    mode: RunMode<'_, [State]>,
    target: Target<'_>,
    options: &NetworkOptions,
    watch: &mut dyn SnapshotWatch<gpu::Ends>,
) -> Result<OfMember, MemberError> {
    if let Target::Device(device) = target {
        return gpu::run(members, mode, device, options, watch);
    }
    let mut found = Err(MemberError::of_all(Interrupted));
    reference::run(members, mode, target.most_cores(), &mut |_, run| found = Ok(run), watch)?;
    found
}

/// The state of replications that have gone on from one time to another, added to what they had before.
fn next(
    before: &[NetworkOutcome],
    ends: Vec<End>,
    (from, reached): (Time, Time),
    warmup: Time,
) -> Result<Checkpoint, QueueingError> {
    let count = ends.len();
    let mut next = Checkpoint {
        outcomes: Vec::with_capacity(count),
        clocks: vec![reached; count],
        states: Vec::with_capacity(count),
    };
    for (place, End { outcome, state }) in ends.into_iter().enumerate() {
        next.outcomes.push(match before.get(place).filter(|_| from > Time::ZERO) {
            Some(before) => outcome.behind(before, from, warmup),
            None => outcome,
        });
        next.states.push(state.unwrap_or_default());
    }
    Ok(next)
}

/// A snapshot of all replications, which have gone on from a time.
fn stood(ends: gpu::Ends, from: Option<Arc<Checkpoint>>, (clock, warmup): (Time, Time)) -> Stood {
    Box::new(move || {
        let run = ends()?;
        let (mut found, reached) = (vec![], run.clock);
        let run = run.map(|ends| found = ends);
        let before = from.as_ref().map_or(&[][..], |from| &from.outcomes);
        let at = next(before, found, (clock, reached), warmup)?;
        Ok(run.map(|()| at))
    })
}

/// The checkpoint itself, copied first if it belongs to the caller.
fn own<'c>(at: &'c mut Cow<'_, Checkpoint>) -> Result<&'c mut Checkpoint, QueueingError> {
    if matches!(at, Cow::Borrowed(_)) {
        memory::room_of(at.bytes(), "a copy of the checkpoint")?;
    }
    Ok(at.to_mut())
}
