//! The search for the best point, stage by stage.

use std::collections::HashSet;

use super::assessment::Board;
use super::outcome::{Ended, OptimizationOutcome, StageRecord};
use super::{Optimization, OptimizationError};
use crate::device::Target;
use crate::experiments::constrained_allocation;
use crate::experiments::run::{part_of, shared_out};
use crate::experiments::runner::Runner;
use crate::experiments::study::Study;
use crate::queueing::NetworkOptions;
use crate::run::{Run, Watch};

/// Points near which others are looked for.
const BEST: usize = 4;
/// Stages without a better point after which a search may end.
const PATIENCE: u32 = 3;
/// This part of the budget is for those that were looked at alone: the best of them is not the one with the most luck.
const COMPARED: u64 = 4;
/// A stage has this part of all replications before it, at the least.
const GROWTH: u64 = 10;

/// Searches for the best point. All points of a stage run as those of an experiment do ([`crate::experiments::run()`]), with common
/// random numbers. An interruption leaves out the first point that has not all of the replications that it begins with, and those
/// behind it.
///
/// # Errors
/// A point that is no network, and [`crate::queueing::QueueingError`] of one that is, with its number.
pub fn run(
    optimization: &Optimization,
    target: Target<'_>,
    options: NetworkOptions,
    watch: &mut dyn Watch,
) -> Result<Run<OptimizationOutcome>, OptimizationError> {
    let run = run_from(optimization, None, target, options, watch)?;
    Ok(run.map(|mut outcome| {
        let least = optimization.settings.replications as usize;
        let ended = outcome.points.iter().take_while(|point| point.digests.len() >= least).count();
        if ended < outcome.points.len() {
            outcome.points.truncate(ended);
            outcome.places.truncate(ended);
            outcome.assess(optimization);
        }
        outcome
    }))
}

/// The same from what another search has left, or from nothing, to where others can go on. Counted are the events since then.
pub(crate) fn run_from(
    optimization: &Optimization,
    from: Option<&OptimizationOutcome>,
    target: Target<'_>,
    options: NetworkOptions,
    watch: &mut dyn Watch,
) -> Result<Run<OptimizationOutcome>, OptimizationError> {
    let stored = from.map_or(&[][..], |from| &from.points);
    let runner = Runner { target, options, stored, outcomes: vec![] };
    let mut search = Search {
        optimization,
        study: optimization.study.clone(),
        runner,
        board: Board::default(),
        seen: HashSet::new(),
        outcome: OptimizationOutcome::default(),
    };
    let mut run = search.begin(watch)?;
    while !run.interrupted && search.outcome.ended.is_none() {
        search.stage(&mut run, watch)?;
    }
    if run.interrupted {
        search.outcome.ended = None;
        run.clock = part_of(run.clock, search.runner.taken(), optimization.settings.budget + 1);
    }
    let mut outcome = search.outcome;
    outcome.points = search.runner.outcomes;
    outcome.assess(optimization);
    Ok(run.map(|()| outcome))
}

struct Search<'a> {
    optimization: &'a Optimization,
    /// With the points that were looked at.
    study: Study,
    runner: Runner<'a>,
    board: Board,
    seen: HashSet<Vec<usize>>,
    outcome: OptimizationOutcome,
}

impl Search<'_> {
    /// The first points.
    fn begin(&mut self, watch: &mut dyn Watch) -> Result<Run<()>, OptimizationError> {
        let Optimization { space, start, settings, .. } = self.optimization;
        let affordable = settings.budget / u64::from(settings.replications);
        let count = u64::from(settings.together).min(affordable) as usize;
        let first = start.clone().unwrap_or_else(|| space.middle());
        let wanted = self.look_at(space.begin(first, count, settings.seed))?;
        let run = self.runner.more(&self.study, &wanted, watch)?;
        if !run.interrupted {
            self.record();
        }
        Ok(run)
    }

    /// New points and further replications of others.
    fn stage(&mut self, all: &mut Run<()>, watch: &mut dyn Watch) -> Result<(), OptimizationError> {
        let Optimization { space, settings, .. } = self.optimization;
        let taken = self.runner.taken();
        let left = settings.budget.saturating_sub(taken);
        let each = u64::from(settings.replications);
        let size = (2 * u64::from(settings.together) * each).max(taken / GROWTH).min(left);
        let order = self.board.order();
        let best: Vec<&[usize]> = order.iter().take(BEST).map(|place| &*self.outcome.places[*place]).collect();
        let stage = self.outcome.stages.len() as u32;
        let looks = !self.is_settled() && left > settings.budget / COMPARED;
        let count = if looks { (size / 2 / each) as usize } else { 0 };
        let new = space.next((&best, &self.seen), count, (settings.seed, stage));
        let first = self.study.points.len();
        let mut wanted = self.look_at(new)?;
        let part = size - wanted.len() as u64 * each;
        let (objectives, beyond) = self.board.figures(order[0], settings.indifference);
        let shares = constrained_allocation(&objectives, &beyond, order[0], (taken + part) as f64);
        let most = u64::from(self.study.most_replications());
        let further = shared_out(&shares, &self.runner.outcomes[..first], part, most);
        if further.is_empty() && wanted.is_empty() {
            self.outcome.ended = Some(Ended::Budget);
            return Ok(());
        }
        wanted.extend(further);
        self.runner.add(&self.study, &wanted, all, watch)?;
        if !all.interrupted {
            self.record();
        }
        Ok(())
    }

    /// Makes networks of new places, each of which is to have the replications that a point begins with.
    fn look_at(&mut self, new: Vec<Vec<usize>>) -> Result<Vec<(usize, u32)>, OptimizationError> {
        let first = self.study.points.len();
        for place in new {
            let point = self.optimization.point(&place, self.study.points.len() + 1)?;
            self.study.points.push(point);
            self.seen.insert(place.clone());
            self.outcome.places.push(place);
        }
        let replications = self.optimization.settings.replications;
        Ok((first..self.study.points.len()).map(|point| (point, replications)).collect())
    }

    /// Whether nothing better is likely to come: no stage of some has brought a better point, and no neighbour of the best is new.
    fn is_settled(&self) -> bool {
        let stages = &self.outcome.stages;
        let Some(last) = stages.last() else { return false };
        let since = stages.iter().rev().take_while(|stage| stage.best == last.best).count() as u32;
        let is_whole = self.optimization.space.points() == self.seen.len() as u64;
        let mut neighbours = self.optimization.space.neighbours(&self.outcome.places[last.best]);
        is_whole || since > PATIENCE && neighbours.all(|place| self.seen.contains(&place))
    }

    /// Takes in what a stage has brought, and finds out whether it is enough.
    fn record(&mut self) {
        let optimization = self.optimization;
        self.board.update(optimization, &self.runner.outcomes);
        let Some(assessment) = self.board.assess(optimization, &self.outcome.places) else { return };
        let replications = self.runner.taken();
        self.outcome.stages.push(StageRecord {
            points: self.outcome.places.len() as u64,
            replications,
            best: assessment.point,
            is_within: assessment.is_within,
            figure: self.board.objective(optimization, assessment.point),
        });
        let settings = &optimization.settings;
        if assessment.is_within && assessment.confidence >= settings.confidence && self.is_settled() {
            self.outcome.ended = Some(Ended::Sure);
        } else if replications >= settings.budget {
            self.outcome.ended = Some(Ended::Budget);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::unwatched;

    /// Three stations whose servers each cost 1 and whose queues grow without end below 3, 5 and 7 of them, without luck: the best is at
    /// a corner of what is within the limit, and far from where the search begins.
    const CORNER: &str = "
        until = 60
        [[station]]
        name = 'a'
        service = 'constant:1.5'
        cost = { server = 1 }
        [[station]]
        name = 'b'
        service = 'constant:2.5'
        cost = { server = 1 }
        [[station]]
        name = 'c'
        service = 'constant:3.5'
        cost = { server = 1 }
        [[source]]
        name = 'in'
        interval = 'constant:0.5'
        to = 'a'
        [[sink]]
        name = 'out'
        [[route]]
        from = 'a'
        to = 'b'
        [[route]]
        from = 'b'
        to = 'c'
        [[route]]
        from = 'c'
        to = 'out'
        [optimize]
        smallest = 'cost'
        limits = [{ measure = 'network.mean_waiting_time', at_most = 0 }]
        budget = 3000
        replications = 2
        together = 16
        [optimize.factors]
        station.a.servers = { from = 1, to = 40 }
        station.b.servers = { from = 1, to = 40 }
        station.c.servers = { from = 1, to = 40 }
    ";

    #[test]
    fn a_corner_of_many_points_is_found_from_anywhere() {
        for seed in 1..=5 {
            let optimization = Optimization::from_toml(CORNER).unwrap();
            let settings = crate::experiments::optimization::Settings { seed, ..optimization.settings() };
            let optimization = optimization.with_settings(settings).unwrap();
            let run = run(&optimization, Target::Heap, NetworkOptions::default(), &mut unwatched()).unwrap();
            let best = run.outcome.assessment.unwrap();
            // The levels of 3, 5 and 7 servers.
            assert_eq!(run.outcome.places[best.point], [2, 4, 6], "seed {seed}");
            assert_eq!((best.is_within, best.confidence, best.better_by), (true, 1.0, Some(0.0)));
            assert_eq!((best.has_all_neighbours, run.outcome.ended), (true, Some(Ended::Sure)));
            assert!(run.outcome.points.len() < 1_500, "{} of 64,000", run.outcome.points.len());
        }
    }
}
