//! Runs of experiments.

use super::allocation::allocation;
use super::asked::{Best, Rule};
use super::contrast::Sample;
use super::experiment::Experiment;
use super::outcome::{ExperimentOutcome, PointOutcome};
use super::runner::{PointError, Runner};
use super::selection::{Selection, Stage};
use tickless_core::run::{Run, Watch};
use tickless_core::time::Time;
use tickless_device::Target;
use tickless_queueing::NetworkOptions;

/// The parts in which a budget is allocated.
const PARTS: u64 = 10;

/// Runs all points of an experiment: on a device points that differ in numbers alone run at once, on the heap all points on the cores.
/// Where the best point is looked for, points get more replications by its rule. An interruption leaves out the first point that has not
/// ended and the points behind it.
///
/// # Errors
/// [`tickless_queueing::QueueingError`] of a point, with its place.
pub fn run(
    experiment: &Experiment,
    target: Target<'_>,
    options: NetworkOptions,
    watch: &mut dyn Watch,
) -> Result<Run<ExperimentOutcome>, PointError> {
    let run = run_from(experiment, None, target, options, watch)?;
    Ok(run.map(|outcome| outcome.only_ended(experiment.replications())))
}

/// The same from the state of another run, which had all points, or from the beginning, up to a state that can be resumed. It counts
/// its own events only.
pub fn run_from(
    experiment: &Experiment,
    from: Option<&ExperimentOutcome>,
    target: Target<'_>,
    options: NetworkOptions,
    watch: &mut dyn Watch,
) -> Result<Run<ExperimentOutcome>, PointError> {
    let stored = from.map_or(&[][..], |from| &from.points);
    let mut runner = Runner { target, options, stored, outcomes: vec![] };
    let all: Vec<(usize, u32)> =
        (0..experiment.points().len()).map(|point| (point, experiment.replications())).collect();
    let mut run = runner.more(&experiment.study, &all, watch)?;
    let mut search = Search { experiment, runner };
    let mut best = None;
    if let Some(asked) = experiment.best().filter(|_| !run.interrupted) {
        best = match asked.rule {
            Rule::Indifference { zone, confidence } => search.find(asked, zone, confidence, &mut run, watch)?,
            Rule::Budget { replications } => search.share(asked, replications, &mut run, watch)?,
        };
    }
    let runner = search.runner;
    if run.interrupted {
        let all = experiment.points().len() as u64 * u64::from(experiment.replications());
        run.clock = part_of(run.clock, runner.taken(), all);
    }
    Ok(run.map(|()| ExperimentOutcome { points: runner.outcomes, best }))
}

/// The clock of an interrupted run with `done` of `all` replications: below its horizon.
pub(super) fn part_of(horizon: Time, done: u64, all: u64) -> Time {
    let ticks = u128::from(horizon.ticks()) * u128::from(done.min(all - 1)) / u128::from(all);
    Time::from_ticks(ticks as u64)
}

/// The search for the best point, with further replications.
struct Search<'a> {
    experiment: &'a Experiment,
    runner: Runner<'a>,
}

impl Search<'_> {
    /// The samples of the measure for the best point; less is better.
    fn samples(&self, best: &Best) -> Vec<Sample> {
        self.runner.samples(self.experiment.place_of(&best.measure), best.sign())
    }

    /// Adds replications to the candidates until the best is found.
    fn find(
        &mut self,
        best: &Best,
        zone: f64,
        confidence: f64,
        all: &mut Run<()>,
        watch: &mut dyn Watch,
    ) -> Result<Option<(usize, bool)>, PointError> {
        let mut selection = Selection::new(self.runner.outcomes.len(), zone, confidence);
        loop {
            let samples = self.samples(best);
            let stage = selection.stage(&samples);
            let found = selection.best(&samples);
            let count = found.map_or(0, |point| self.runner.outcomes[point].digests.len() as u64);
            let most = u64::from(self.experiment.study.most_replications());
            if stage == Stage::Found || all.interrupted || count >= most {
                return Ok(found.map(|point| (point, stage == Stage::Found)));
            }
            // A tenth more each time, so that stages are few where replications are many.
            let more = (count / 10).max(u64::from(self.experiment.replications()).min(10)).min(most - count) as u32;
            let wanted: Vec<_> = selection.left().iter().map(|point| (*point, more)).collect();
            self.runner.add(&self.experiment.study, &wanted, all, watch)?;
        }
    }

    /// Allocates the rest of a budget.
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
            let taken = self.runner.taken();
            let left = budget.saturating_sub(taken);
            if left == 0 || all.interrupted {
                return Ok(found.map(|point| (point, left == 0)));
            }
            let part = (budget / PARTS).max(1).min(left);
            let variances: Vec<f64> =
                samples.iter().map(|sample| sample.estimate().standard_deviation.unwrap_or(0.0).powi(2)).collect();
            let shares = allocation(&means, &variances, (taken + part) as f64);
            let most = u64::from(self.experiment.study.most_replications());
            let wanted = shared_out(&shares, &self.runner.outcomes, part, most);
            self.runner.add(&self.experiment.study, &wanted, all, watch)?;
        }
    }
}

/// How many of `part` further replications each point gets, by its share in all, and at most `most` in all; whole numbers that add up: the
/// remainder goes to the points with the largest shares.
pub(super) fn shared_out(shares: &[f64], outcomes: &[PointOutcome], part: u64, most: u64) -> Vec<(usize, u32)> {
    let has = |point: usize| outcomes[point].digests.len() as u64;
    let lacks = |point: usize| (shares[point] - has(point) as f64).max(0.0);
    let all: f64 = (0..shares.len()).map(lacks).sum();
    let whole = |point: usize| if all > 0.0 { (lacks(point) / all * part as f64) as u64 } else { 0 };
    let mut wanted: Vec<u64> =
        (0..shares.len()).map(|point| whole(point).min(most.saturating_sub(has(point)))).collect();
    let mut left = part.saturating_sub(wanted.iter().sum());
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]));
    for point in order {
        let more = left.min(most.saturating_sub(has(point) + wanted[point]));
        wanted[point] += more;
        left -= more;
    }
    // Each fits 32 bits, since the most does.
    wanted.into_iter().enumerate().filter(|(_, count)| *count > 0).map(|(point, count)| (point, count as u32)).collect()
}
