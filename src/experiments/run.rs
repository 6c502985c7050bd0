//! Runs of experiments.

use std::ops::Range;

use super::allocation::allocation;
use super::asked::{Best, Rule};
use super::contrast::Sample;
use super::experiment::Experiment;
use super::outcome::{ExperimentOutcome, PointOutcome};
use super::selection::{Selection, Stage};
use crate::device::Target;
use crate::queueing::{Lot, LotError, NetworkModel, NetworkOptions, NetworkOutcome, QueueingError, run_several};
use crate::run::{Adding, Run, Watch};
use crate::time::Time;

/// The parts in which a budget is shared out.
const PARTS: u64 = 10;

/// Runs all points of an experiment, those that differ in numbers alone at once on a device, on the heap all on the cores. Where the best
/// point is looked for, points get more replications as its rule says. An interruption leaves out the first point that has not ended
/// and those behind it.
///
/// # Errors
/// [`QueueingError`] of a point, with its place.
pub fn run(
    experiment: &Experiment,
    target: Target<'_>,
    options: NetworkOptions,
    watch: &mut dyn Watch,
) -> Result<Run<ExperimentOutcome>, PointError> {
    let run = run_from(experiment, None, target, options, watch)?;
    Ok(run.map(|mut outcome| {
        let ended = outcome.ended(experiment.replications()).len();
        outcome.points.truncate(ended);
        outcome
    }))
}

/// The same from what another run has left, which had all points, or from nothing, to where others can go on. Counted are the events
/// since then.
pub(crate) fn run_from(
    experiment: &Experiment,
    from: Option<&ExperimentOutcome>,
    target: Target<'_>,
    options: NetworkOptions,
    watch: &mut dyn Watch,
) -> Result<Run<ExperimentOutcome>, PointError> {
    let points = experiment.points();
    let outcomes = vec![PointOutcome::default(); points.len()];
    let stored = from.map_or(&[][..], |from| &from.points);
    let mut runner = Runner { experiment, target, options, stored, outcomes };
    let all: Vec<(usize, u32)> = (0..points.len()).map(|point| (point, experiment.replications())).collect();
    let mut run = runner.more(&all, watch)?;
    let mut best = None;
    if let Some(asked) = experiment.best().filter(|_| !run.interrupted) {
        best = match asked.rule {
            Rule::Indifference { zone, confidence } => runner.find(asked, zone, confidence, &mut run, watch)?,
            Rule::Budget { replications } => runner.share(asked, replications, &mut run, watch)?,
        };
    }
    let points = runner.outcomes;
    if run.interrupted {
        let done: u64 = points.iter().map(|point| point.digests.len() as u64).sum();
        let all = points.len() as u64 * u64::from(experiment.replications());
        let ticks = u128::from(run.clock.ticks()) * u128::from(done.min(all - 1)) / u128::from(all);
        run.clock = Time::from_ticks(ticks as u64);
    }
    Ok(run.map(|()| ExperimentOutcome { points, best }))
}

/// A point that could not be run.
///
/// ```
/// use tickless::experiments::PointError;
/// let error = PointError { number: 2, settings: "station.desk.servers = 3".into(), error: tickless::queueing::QueueingError::NoReplication.into() };
/// assert!(error.to_string().starts_with("at point 2 (station.desk.servers = 3): no replication"));
/// ```
#[derive(Debug, thiserror::Error)]
#[error("at point {number} ({settings}): {error}")]
pub struct PointError {
    /// Its number, from 1 on.
    pub number: usize,
    /// The values of its factors.
    pub settings: String,
    /// What went wrong.
    pub error: Box<QueueingError>,
}

struct Runner<'a> {
    experiment: &'a Experiment,
    target: Target<'a>,
    options: NetworkOptions,
    /// What another run has left of each point.
    stored: &'a [PointOutcome],
    outcomes: Vec<PointOutcome>,
}

impl Runner<'_> {
    /// Runs so many further replications of some points.
    fn more(&mut self, wanted: &[(usize, u32)], watch: &mut dyn Watch) -> Result<Run<()>, PointError> {
        let Self { experiment, target, options, stored, outcomes } = self;
        // What another run has had already, replication by replication.
        let lacking = |&(point, count): &(usize, u32)| {
            let end = outcomes[point].digests.len() + count as usize;
            if let Some(stored) = stored.get(point) {
                outcomes[point].take_over(stored, end);
            }
            (point, (end - outcomes[point].digests.len()) as u32)
        };
        let wanted: Vec<(usize, u32)> = wanted.iter().map(lacking).filter(|(_, count)| *count > 0).collect();
        let numbers = |point: usize, count: u32| {
            let first = outcomes[point].digests.len() as u32;
            first..first + count
        };
        // Numbers of its own for each point, as many as it may need.
        let stride = experiment.most_replications();
        let of_lot = |&(point, count): &(usize, u32)| -> (&NetworkModel, Range<u32>) {
            let Range { start, end } = numbers(point, count);
            let base = if experiment.has_common_random_numbers() { 0 } else { point as u32 * stride };
            (&experiment.points()[point].model, base + start..base + end)
        };
        let lots: Vec<Lot<'_>> = wanted.iter().map(of_lot).collect();
        let mut take = |lot: usize, given: Vec<NetworkOutcome>| {
            let point = wanted[lot].0;
            outcomes[point].add(&given, experiment, point);
        };
        let run = run_several(&lots, *target, *options, &mut take, watch);
        run.map_err(|LotError { lot, error }| {
            let point = wanted.get(lot).map_or(0, |(point, _)| *point);
            PointError { number: point + 1, settings: experiment.shown(point), error }
        })
    }

    /// The same as a further part of a run.
    fn add(&mut self, wanted: &[(usize, u32)], all: &mut Run<()>, watch: &mut dyn Watch) -> Result<(), PointError> {
        let mut watch = Adding { watch, events: all.events, elapsed: all.wall };
        let run = self.more(wanted, &mut watch)?;
        all.add(&run);
        all.interrupted |= run.interrupted;
        Ok(())
    }

    /// What has been seen of the measure that the best is of; less is better.
    fn samples(&self, best: &Best) -> Vec<Sample> {
        let measure = self.experiment.place_of(&best.measure);
        let of = |point: &PointOutcome| {
            let pairs: Vec<_> = point.measured[measure].iter().map(|[a, b]| [best.sign() * a, *b]).collect();
            Sample::of(&pairs)
        };
        self.outcomes.iter().map(of).collect()
    }

    /// Adds replications to the points that may be the best until it is found.
    fn find(
        &mut self,
        best: &Best,
        zone: f64,
        confidence: f64,
        all: &mut Run<()>,
        watch: &mut dyn Watch,
    ) -> Result<Option<(usize, bool)>, PointError> {
        let mut selection = Selection::new(self.outcomes.len(), zone, confidence);
        loop {
            let samples = self.samples(best);
            let stage = selection.stage(&samples);
            let found = selection.best(&samples);
            let count = found.map_or(0, |point| self.outcomes[point].digests.len() as u64);
            let most = u64::from(self.experiment.most_replications());
            if stage == Stage::Found || all.interrupted || count >= most {
                return Ok(found.map(|point| (point, stage == Stage::Found)));
            }
            // A tenth more each time: stages are few where replications are many.
            let more = (count / 10).max(u64::from(self.experiment.replications()).min(10)).min(most - count) as u32;
            let wanted: Vec<_> = selection.left().iter().map(|point| (*point, more)).collect();
            self.add(&wanted, all, watch)?;
        }
    }

    /// Shares out the rest of a budget.
    fn share(
        &mut self,
        best: &Best,
        budget: u64,
        all: &mut Run<()>,
        watch: &mut dyn Watch,
    ) -> Result<Option<(usize, bool)>, PointError> {
        loop {
            let samples = self.samples(best);
            let means: Vec<f64> = samples.iter().map(|sample| sample.figure).collect();
            let found = (0..means.len()).min_by(|a, b| means[*a].total_cmp(&means[*b]));
            let taken: u64 = self.outcomes.iter().map(|point| point.digests.len() as u64).sum();
            let left = budget.saturating_sub(taken);
            if left == 0 || all.interrupted {
                return Ok(found.map(|point| (point, left == 0)));
            }
            let part = (budget / PARTS).max(1).min(left);
            let variances: Vec<f64> =
                samples.iter().map(|sample| sample.estimate().standard_deviation.unwrap_or(0.0).powi(2)).collect();
            let shares = allocation(&means, &variances, (taken + part) as f64);
            let most = u64::from(self.experiment.most_replications());
            let wanted = shared_out(&shares, &self.outcomes, part, most);
            self.add(&wanted, all, watch)?;
        }
    }
}

/// How many further replications each point gets of so many, by what it should have had in all, and at most so many in all; whole numbers,
/// which add up: what is left over goes to those with the largest shares.
fn shared_out(shares: &[f64], outcomes: &[PointOutcome], part: u64, most: u64) -> Vec<(usize, u32)> {
    let has = |point: usize| outcomes[point].digests.len() as u64;
    let lacks = |point: usize| (shares[point] - has(point) as f64).max(0.0);
    let all: f64 = (0..shares.len()).map(lacks).sum();
    let whole = |point: usize| if all > 0.0 { (lacks(point) / all * part as f64) as u64 } else { 0 };
    let mut wanted: Vec<u64> = (0..shares.len()).map(|point| whole(point).min(most - has(point))).collect();
    let mut left = part.saturating_sub(wanted.iter().sum());
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]));
    for point in order {
        let more = left.min(most - has(point) - wanted[point]);
        wanted[point] += more;
        left -= more;
    }
    // None has more than 32 bits hold, as the most is one of them.
    wanted.into_iter().enumerate().filter(|(_, count)| *count > 0).map(|(point, count)| (point, count as u32)).collect()
}

impl PointOutcome {
    /// Takes over what another run has of the replications before this one.
    fn take_over(&mut self, stored: &Self, before: usize) {
        let before = before.min(stored.digests.len());
        let begin = self.digests.len();
        if begin >= before {
            return;
        }
        self.digests.extend(&stored.digests[begin..before]);
        self.measured.resize(stored.measured.len(), vec![]);
        for (list, stored) in self.measured.iter_mut().zip(&stored.measured) {
            list.extend(&stored[begin..before]);
        }
    }

    /// Takes in further replications.
    fn add(&mut self, outcomes: &[NetworkOutcome], experiment: &Experiment, point: usize) {
        use rayon::prelude::*;
        self.digests.par_extend(outcomes.par_iter().map(NetworkOutcome::digest));
        self.measured.resize(experiment.measures().len(), vec![]);
        let model = &experiment.points()[point].model;
        for (list, measure) in self.measured.iter_mut().zip(experiment.measures()) {
            // That the point has it was checked when the experiment was read.
            list.extend(measure.of(model, outcomes).unwrap_or_default());
        }
    }
}
