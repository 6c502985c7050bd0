//! The search for the best point, stage by stage.

use std::collections::HashSet;

use super::Optimization;
use super::assessment::Comparison;
use super::outcome::{Ended, OptimizationOutcome, StageRecord};
use crate::constrained_allocation;
use crate::file::MOST_REPLICATIONS;
use crate::run::{part_of, shared_out};
use crate::runner::{PointError, Runner};
use crate::study::Study;
use tickless_core::run::{Run, Watch};
use tickless_device::Target;
use tickless_queueing::NetworkOptions;

/// The number of best points near which others are looked for.
const BEST: usize = 4;
/// Stages without a better point after which a search may end.
const PATIENCE: u32 = 3;
/// One part in this many of all replications, the last, is only for points looked at before: the best should not be the luckiest.
const COMPARED: u64 = 4;
/// A stage has at least one part in this many of all replications before it.
const GROWTH: u64 = 10;

/// Searches for the best point. All points of a stage run as those of an experiment do ([`crate::run()`]), with common random
/// numbers. An interruption leaves out the first point without all of its first replications, and the points behind it.
///
/// # Errors
/// [`tickless_queueing::QueueingError`] of a point, with its number.
pub fn run(
    optimization: &Optimization,
    target: Target<'_>,
    options: NetworkOptions,
    watch: &mut dyn Watch,
) -> Result<Run<OptimizationOutcome>, PointError> {
    let run = run_from(optimization, None, target, options, watch)?;
    Ok(run.map(|outcome| outcome.ended(optimization)))
}

/// The same from the state of another search, or from the beginning, up to a state that can be resumed. It counts its own
/// events only.
pub fn run_from(
    optimization: &Optimization,
    from: Option<&OptimizationOutcome>,
    target: Target<'_>,
    options: NetworkOptions,
    watch: &mut dyn Watch,
) -> Result<Run<OptimizationOutcome>, PointError> {
    let stored = from.map_or(&[][..], |from| &from.points);
    let runner = Runner { target, options, stored, outcomes: vec![] };
    let mut search = Search {
        optimization,
        study: optimization.study.clone(),
        runner,
        comparison: Comparison::default(),
        seen: HashSet::new(),
        outcome: OptimizationOutcome::default(),
    };
    let mut run = search.begin(watch)?;
    while !run.interrupted && search.outcome.ended.is_none() {
        search.stage(&mut run, watch)?;
    }
    if run.interrupted {
        search.outcome.ended = None;
        run.clock = part_of(run.clock, search.runner.taken(), optimization.settings.max_replications + 1);
    }
    let mut outcome = search.outcome;
    outcome.points = search.runner.outcomes;
    outcome.assess(optimization);
    Ok(run.map(|()| outcome))
}

struct Search<'a> {
    optimization: &'a Optimization,
    /// The study, with the points looked at.
    study: Study,
    runner: Runner<'a>,
    comparison: Comparison,
    seen: HashSet<Vec<usize>>,
    outcome: OptimizationOutcome,
}

impl Search<'_> {
    /// The first points.
    fn begin(&mut self, watch: &mut dyn Watch) -> Result<Run<()>, PointError> {
        let Optimization { space, start, settings, .. } = self.optimization;
        let affordable =
            (settings.max_replications - settings.max_replications / COMPARED) / u64::from(settings.replications);
        let count = u64::from(settings.together).min(affordable).max(1) as usize;
        let wanted = self.look_at(space.begin(start.clone(), count, settings.seed));
        let run = self.runner.more(&self.study, &wanted, watch)?;
        if !run.interrupted {
            self.record();
        }
        Ok(run)
    }

    /// New points and further replications of others.
    fn stage(&mut self, all: &mut Run<()>, watch: &mut dyn Watch) -> Result<(), PointError> {
        let Optimization { space, settings, .. } = self.optimization;
        let taken = self.runner.taken();
        let left = settings.max_replications.saturating_sub(taken);
        let each = u64::from(settings.replications);
        let size = (2 * u64::from(settings.together) * each).max(taken / GROWTH).min(left);
        let order = self.comparison.order();
        let best: Vec<&[usize]> = order.iter().take(BEST).map(|place| &*self.outcome.places[*place]).collect();
        let stage = self.outcome.stages.len() as u32;
        let for_new = (size / 2).min(left.saturating_sub(settings.max_replications / COMPARED));
        let count = if self.is_settled() { 0 } else { (for_new / each) as usize };
        let new = space.next((&best, &self.seen), count, (settings.seed, stage));
        let first = self.study.points.len();
        let mut wanted = self.look_at(new);
        let part = size - wanted.len() as u64 * each;
        let (objectives, beyond) = self.comparison.figures(order[0], settings.indifference);
        let shares = constrained_allocation(&objectives, &beyond, order[0], (taken + part) as f64);
        let most = u64::from(MOST_REPLICATIONS);
        let further = shared_out(&shares, &self.runner.outcomes[..first], part, most);
        if further.is_empty() && wanted.is_empty() {
            self.outcome.ended = Some(Ended::MaxReplications);
            return Ok(());
        }
        wanted.extend(further);
        self.runner.add(&self.study, &wanted, all, watch)?;
        if !all.interrupted {
            self.record();
        }
        Ok(())
    }

    /// Makes networks of new places, each of which is to have the first replications of a point. Places without a valid network are left out.
    fn look_at(&mut self, new: Vec<Vec<usize>>) -> Vec<(usize, u32)> {
        let first = self.study.points.len();
        for place in new {
            self.seen.insert(place.clone());
            match self.optimization.point(&place, self.study.points.len() + 1) {
                Ok(point) => {
                    self.study.points.push(point);
                    self.outcome.places.push(place);
                }
                // The first place has a valid network, as was checked when the file was read.
                Err(error) => {
                    self.outcome.first_refusal.get_or_insert_with(|| error.to_string());
                    self.outcome.refused.push(place);
                }
            }
        }
        let replications = self.optimization.settings.replications;
        (first..self.study.points.len()).map(|point| (point, replications)).collect()
    }

    /// Whether a better point is unlikely: for some stages none has come, and no neighbour of the best is new.
    fn is_settled(&self) -> bool {
        let stages = &self.outcome.stages;
        let Some(last) = stages.last() else { return false };
        let since = stages.iter().rev().take_while(|stage| stage.best == last.best).count() as u32;
        let is_whole = self.optimization.space.points() == self.seen.len() as u64;
        let mut neighbours = self.optimization.space.neighbours(&self.outcome.places[last.best]);
        is_whole || since > PATIENCE && neighbours.all(|place| self.seen.contains(&place))
    }

    /// Takes in the results of a stage, and decides whether they are enough.
    fn record(&mut self) {
        let optimization = self.optimization;
        self.comparison.update(optimization, &self.runner.outcomes);
        let Some(standing) = self.comparison.standing(optimization) else { return };
        let replications = self.runner.taken();
        self.outcome.stages.push(StageRecord {
            points: self.outcome.places.len() as u64,
            replications,
            best: standing.best,
            is_within: standing.is_within,
            figure: self.comparison.objective(optimization, standing.best),
        });
        let settings = &optimization.settings;
        if standing.is_within && standing.confidence() >= settings.confidence && self.is_settled() {
            self.outcome.ended = Some(Ended::Sure);
        } else if replications >= settings.max_replications {
            self.outcome.ended = Some(Ended::MaxReplications);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::run::unwatched;

    /// Three stations whose servers each cost 1 and whose queues grow without end below 3, 5 and 7 servers, without luck: the best is at
    /// a corner of the region within the limit, and far from the beginning of the search.
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
        max_replications = 3000
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
            let settings = crate::optimization::Settings { seed, ..optimization.settings() };
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

    fn with_max_replications(text: &str, max_replications: u64) -> Optimization {
        let optimization = Optimization::from_toml(text).unwrap();
        let settings = crate::optimization::Settings { max_replications, ..optimization.settings() };
        optimization.with_settings(settings).unwrap()
    }

    /// With few replications and with many.
    #[test]
    fn the_last_quarter_looks_at_no_new_point() {
        for most in [2, 20, 50, 90, 400] {
            let optimization = with_max_replications(CORNER, most);
            let run = run(&optimization, Target::Heap, NetworkOptions::default(), &mut unwatched()).unwrap();
            let points = run.outcome.points.len() as u64;
            assert!(points == 1 || 2 * points <= most - most / 4, "{points} points of {most} replications");
            assert!(run.outcome.stages.last().unwrap().replications <= most);
        }
    }

    /// More servers than places are no network, and the search goes on without them.
    #[test]
    fn values_that_do_not_go_together_are_left_out() {
        let text = CORNER.replace("name = 'b'", "name = 'b'\n        capacity = 9\n        servers = 5").replace(
            "station.b.servers = { from = 1",
            "station.b.capacity = { from = 3, to = 20 }\n        station.b.servers = { from = 1",
        );
        let optimization = with_max_replications(&text, 600);
        let run = run(&optimization, Target::Heap, NetworkOptions::default(), &mut unwatched()).unwrap();
        assert!(!run.outcome.refused.is_empty());
        let said = run.outcome.first_refusal.unwrap();
        assert!(said.contains("station.b.servers = ") && said.contains("capacity"), "{said}");
        let (capacity, servers) = (1, 2);
        let is_one = |place: &Vec<usize>| place[capacity] + 3 > place[servers];
        assert!(run.outcome.places.iter().all(is_one) && !run.outcome.refused.iter().any(is_one));
        assert!(run.outcome.assessment.unwrap().is_within);
    }

    /// Where no token is served there is no waiting time: such a point is neither the best nor a rival.
    #[test]
    fn points_of_which_nothing_was_seen_are_no_rivals() {
        let text = CORNER.replace(
            "station.a.servers = { from = 1",
            "source.in.start = [0, 100]\n        station.a.servers = { from = 1",
        );
        let optimization = with_max_replications(&text, 2_000);
        let run = run(&optimization, Target::Heap, NetworkOptions::default(), &mut unwatched()).unwrap();
        let best = run.outcome.assessment.unwrap();
        assert_eq!((run.outcome.places[best.point][0], best.is_within, best.confidence), (0, true, 1.0));
        let late = run.outcome.places.iter().position(|place| place[0] == 1).unwrap();
        assert!(!run.outcome.is_within(&optimization, late));
    }

    /// The values of the file: a number, a text in other quotes, and a missing key.
    #[test]
    fn a_search_begins_with_the_values_of_the_file() {
        let text = CORNER.replace("name = 'c'", "name = 'c'\n        servers = 7").replace(
            "station.a.servers = { from = 1, to = 40 }",
            "station.a.service = { from = 1.0, to = 2.0, step = 0.5, law = 'constant:{}' }",
        );
        let optimization = Optimization::from_toml(&text).unwrap();
        assert_eq!(optimization.start, [1, 20, 6]);
    }
}
