//! Replications of points on demand; another run may have made some of them.

use std::ops::Range;

use super::contrast::Sample;
use super::outcome::PointOutcome;
use super::study::Study;
use tickless_core::run::{Adding, Run, Watch};
use tickless_device::Target;
use tickless_queueing::{
    self as queueing, Ensemble, Member, MemberError, NetworkModel, NetworkOptions, NetworkOutcome, QueueingError,
};

/// A point that could not be run.
///
/// ```
/// # use tickless_experiments::facade as tickless;
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
    /// The error.
    pub error: Box<QueueingError>,
}

/// Runs replications of points.
pub(super) struct Runner<'a> {
    pub(super) target: Target<'a>,
    pub(super) options: NetworkOptions,
    /// The results of another run for each point.
    pub(super) stored: &'a [PointOutcome],
    /// The results of the points so far.
    pub(super) outcomes: Vec<PointOutcome>,
}

impl Runner<'_> {
    /// Runs further replications of some points.
    pub(super) fn more(
        &mut self,
        study: &Study,
        wanted: &[(usize, u32)],
        watch: &mut dyn Watch,
    ) -> Result<Run<()>, PointError> {
        let Self { target, options, stored, outcomes } = self;
        outcomes.resize_with(study.points.len(), PointOutcome::default);
        // The replications that another run has not made already.
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
        // Each point has numbers of its own, as many as it may need.
        let stride = study.most_replications();
        let of_lot = |&(point, count): &(usize, u32)| -> (&NetworkModel, Range<u32>) {
            let Range { start, end } = numbers(point, count);
            let base = if study.common { 0 } else { point as u32 * stride };
            (&study.points[point].model, base + start..base + end)
        };
        let members: Vec<Member<'_>> = wanted.iter().map(of_lot).collect();
        let mut take = |member: usize, given: Vec<NetworkOutcome>| {
            let point = wanted[member].0;
            outcomes[point].add(&given, study, point);
        };
        let ensemble = Ensemble { members: &members, take: &mut take };
        let run = queueing::run(ensemble, (), *target, *options, watch);
        run.map_err(|MemberError { member, error }| {
            let point = wanted.get(member).map_or(0, |(point, _)| *point);
            PointError { number: point + 1, settings: study.shown(point), error }
        })
    }

    /// The same as a further part of a run.
    pub(super) fn add(
        &mut self,
        study: &Study,
        wanted: &[(usize, u32)],
        all: &mut Run<()>,
        watch: &mut dyn Watch,
    ) -> Result<(), PointError> {
        let mut watch = Adding::new(watch, all.events, all.wall);
        let run = self.more(study, wanted, &mut watch)?;
        all.add(&run);
        // A part that another run has made already takes no time.
        all.clock = all.clock.max(run.clock);
        all.threads = all.threads.max(run.threads);
        all.interrupted |= run.interrupted;
        Ok(())
    }

    /// The samples of a measure at every point, times a sign.
    pub(super) fn samples(&self, measure: usize, sign: f64) -> Vec<Sample> {
        let of = |point: &PointOutcome| {
            let pairs: Vec<_> = point.measured[measure].iter().map(|[a, b]| [sign * a, *b]).collect();
            Sample::of(&pairs)
        };
        self.outcomes.iter().map(of).collect()
    }

    /// The number of replications of all points.
    pub(super) fn taken(&self) -> u64 {
        self.outcomes.iter().map(|point| point.digests.len() as u64).sum()
    }
}

impl PointOutcome {
    /// Takes over the results of another run for the replications before this one.
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
    fn add(&mut self, outcomes: &[NetworkOutcome], study: &Study, point: usize) {
        use rayon::prelude::*;
        self.digests.par_extend(outcomes.par_iter().map(NetworkOutcome::digest));
        self.measured.resize(study.measures.len(), vec![]);
        let model = &study.points[point].model;
        for (list, measure) in self.measured.iter_mut().zip(&study.measures) {
            // The experiment's check ensures that the point has the measure.
            list.extend(measure.of(model, outcomes).unwrap_or_default());
        }
    }
}
