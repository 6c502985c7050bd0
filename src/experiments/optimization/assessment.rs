//! The samples of the points, and the choice of the best one.

use std::collections::HashSet;

use super::outcome::OptimizationOutcome;
use super::{Limit, Optimization};
use crate::contrast::{Sample, contrast};
use crate::measure::Pair;
use crate::outcome::PointOutcome;
use tickless_core::statistics::Estimate;

/// The samples of a point: less is better, and a limit is kept below 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// The number of replications.
    count: usize,
    objective: Sample,
    beyond: Vec<Beyond>,
    /// How far it is beyond the limits, relative to each bound; 0 within all.
    violation: f64,
}

/// The sample of a limit at a point.
#[derive(Clone, Debug, Default)]
struct Beyond {
    /// The distance beyond the limit.
    sample: Sample,
    /// Set where the measure was 0 in all replications, though these draw random numbers: its cases may be rare.
    rare: Option<Rare>,
}

/// An estimate for cases that never occurred.
#[derive(Clone, Copy, Debug)]
struct Rare {
    /// The probability that the measure is beyond its limit.
    beyond: f64,
    /// The variance of a replication, so that the point gets more replications.
    variance: f64,
}

impl Rare {
    /// For cases of tokens: that so many tokens had none, if each has one with the probability of the limit. The variance is that of a
    /// single case.
    fn of_tokens(bound: f64, tokens: f64, replications: f64) -> Self {
        Self { beyond: libm::exp(-bound * tokens), variance: replications / (tokens * tokens) }
    }

    /// For any other measure, such as a time, whose size is unknown before a case: that the next replication has a case, by Laplace's
    /// rule of succession. The variance is that of the limit.
    fn of_replications(bound: f64, replications: f64) -> Self {
        Self { beyond: 1.0 / (replications + 2.0), variance: bound * bound }
    }
}

impl Beyond {
    fn of(limit: &Limit, pairs: &[Pair], is_drawn: bool) -> Self {
        let is_zero = limit.is_most && pairs.iter().all(|[above, _]| *above == 0.0);
        let (cases, replications) = (pairs.iter().map(|[_, below]| below).sum::<f64>(), pairs.len() as f64);
        let rare = (is_drawn && is_zero && cases > 0.0).then(|| match limit.measure.is_probability() {
            true => Rare::of_tokens(limit.bound, cases, replications),
            false => Rare::of_replications(limit.bound, replications),
        });
        // A ratio less a bound is the ratio of a sum less the bound times the other sum.
        let moved = |[a, b]: &Pair| [limit.sign() * (a - limit.bound * b), *b];
        Self { sample: Sample::of(&pairs.iter().map(moved).collect::<Vec<_>>()), rare }
    }

    /// The probability that the point is within the limit.
    fn within(&self) -> f64 {
        let seen = within(&self.sample.estimate());
        self.rare.map_or(seen, |rare| seen.min(1.0 - rare.beyond))
    }

    fn figure(&self) -> [f64; 2] {
        let [mean, variance] = figure(&self.sample);
        [mean, self.rare.map_or(variance, |rare| rare.variance.max(variance))]
    }
}

/// A mean, and the variance of a replication.
fn figure(sample: &Sample) -> [f64; 2] {
    [sample.figure, sample.estimate().standard_deviation.unwrap_or(0.0).powi(2)]
}

/// The best of some points, and the confidence in it.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::{device::Target, experiments::optimization::{self, Optimization}, run::unwatched};
/// let text = "
///     until = 50
///     station = [{ name = 'desk', service = 'constant:1', cost = { server = 4 } }]
///     source = [{ name = 'in', interval = 'constant:0.5', to = 'desk' }]
///     sink = [{ name = 'out' }]
///     route = [{ from = 'desk', to = 'out' }]
///     [optimize]
///     smallest = 'cost'
///     limits = [{ measure = 'station.desk.mean_waiting_time', at_most = 0.5 }]
///     factors.station.desk.servers = { from = 1, to = 9 }
/// ";
/// let optimization = Optimization::from_toml(text).unwrap();
/// let run = optimization::run(&optimization, Target::Heap, Default::default(), &mut unwatched())?;
/// let best = run.outcome.assessment.unwrap();
/// // Two servers are enough, and nothing varies.
/// assert_eq!((run.outcome.places[best.point].as_slice(), best.is_within, best.confidence), (&[1][..], true, 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assessment {
    /// The place of the best point among those looked at.
    pub point: usize,
    /// Whether its samples are within all limits; where none is, the best is the point that is beyond them the least.
    pub is_within: bool,
    /// A lower bound, approximately, on the probability that no point looked at is within the limits and better by more than the
    /// indifference, and that this point is within them. Student's t; errors of all pairs are added (Bonferroni).
    pub confidence: f64,
    /// By how much another point looked at may be better at most, in the unit of the measure, with the confidence asked for; `None`
    /// where no margin is enough, since this point is not surely within the limits, or another one has too few values.
    pub better_by: Option<f64>,
    /// Whether every point one level away in one factor was looked at.
    pub has_all_neighbours: bool,
}

/// The samples of all points.
#[derive(Clone, Debug, Default)]
pub(super) struct Comparison {
    seen: Vec<Seen>,
}

impl Comparison {
    /// Takes in new replications of points.
    pub(super) fn update(&mut self, optimization: &Optimization, points: &[PointOutcome]) {
        self.seen.resize_with(points.len(), Seen::default);
        for (seen, point) in self.seen.iter_mut().zip(points) {
            if seen.count != point.digests.len() {
                *seen = Seen::of(optimization, point);
            }
        }
    }

    /// The points in order, the best first: points within the limits by the objective, then the others by how far they are
    /// beyond.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.seen.len()).filter(|place| self.seen[*place].count > 0).collect();
        let key = |place: usize| (self.seen[place].violation, self.seen[place].objective.figure);
        order.sort_by(|a, b| {
            let (a, b) = (key(*a), key(*b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        order
    }

    /// For each point and measure, the objective first, the mean and the variance, for an allocation. The other points count as worse by
    /// the indifference than they are, as in the assessment.
    pub(super) fn figures(&self, best: usize, indifference: f64) -> (Vec<[f64; 2]>, Vec<Vec<[f64; 2]>>) {
        let objective = |(place, seen): (usize, &Seen)| {
            let [mean, variance] = figure(&seen.objective);
            [if place == best { mean } else { mean + indifference }, variance]
        };
        let limits = self.seen.first().map_or(0, |seen| seen.beyond.len());
        let of_limit = |limit: usize| self.seen.iter().map(|seen| seen.beyond[limit].figure()).collect();
        (self.seen.iter().enumerate().map(objective).collect(), (0..limits).map(of_limit).collect())
    }

    /// The standing of the best point; `None` without points.
    pub(super) fn standing(&self, optimization: &Optimization) -> Option<Standing> {
        let best = *self.order().first()?;
        let ours = &self.seen[best];
        // How much worse each other point is, and how likely it is within the limits. A point without values is no rival.
        let is_rival = |place: &usize| *place != best && self.seen[*place].violation.is_finite();
        let rivals = (0..self.seen.len()).filter(is_rival).map(|place| {
            let seen = &self.seen[place];
            let difference = contrast(&[(1.0, &seen.objective), (-1.0, &ours.objective)]);
            (difference, seen.beyond.iter().map(Beyond::within).fold(1.0, f64::min))
        });
        Some(Standing {
            best,
            is_within: ours.violation == 0.0,
            beyond: ours.beyond.iter().map(|limit| 1.0 - limit.within()).sum(),
            rivals: rivals.collect(),
            asked: optimization.settings.confidence,
            zone: optimization.settings.indifference,
        })
    }

    /// The figure of the objective of a point, with the sign of the file.
    pub(super) fn objective(&self, optimization: &Optimization, place: usize) -> f64 {
        optimization.sign() * self.seen[place].objective.figure
    }
}

/// The best point compared with the others.
pub(super) struct Standing {
    pub(super) best: usize,
    pub(super) is_within: bool,
    /// An upper bound on the probability that it is beyond a limit.
    beyond: f64,
    /// For each other point how much worse it is, and how likely it is within the limits.
    rivals: Vec<(Estimate, f64)>,
    asked: f64,
    zone: f64,
}

impl Standing {
    /// A lower bound on the probability that no point is better by more than the zone.
    fn sure(&self, zone: f64) -> f64 {
        let beats = |(difference, within): &(Estimate, f64)| below(difference, -zone).min(*within);
        (1.0 - self.rivals.iter().map(beats).sum::<f64>() - self.beyond).max(0.0)
    }

    /// The confidence at the indifference.
    pub(super) fn confidence(&self) -> f64 {
        self.sure(self.zone)
    }

    /// The margin at which the confidence is enough.
    fn better_by(&self) -> Option<f64> {
        let can_be = 1.0 - self.beyond >= self.asked;
        smallest(|zone| self.sure(zone) >= self.asked).filter(|_| can_be)
    }
}

impl Seen {
    fn of(optimization: &Optimization, point: &PointOutcome) -> Self {
        // Replications that are all the same draw nothing that matters.
        let is_drawn = point.digests.iter().any(|digest| *digest != point.digests[0]);
        let of_limit =
            |limit: &Limit| Beyond::of(limit, &point.measured[optimization.study.place_of(&limit.measure)], is_drawn);
        let beyond: Vec<Beyond> = optimization.limits.iter().map(of_limit).collect();
        let by_bound = optimization.limits.iter().zip(&beyond).map(|(limit, seen)| {
            let scale = if limit.bound == 0.0 { 1.0 } else { limit.bound.abs() };
            seen.sample.figure.max(0.0) / scale
        });
        let signed = |[a, b]: &Pair| [optimization.sign() * a, *b];
        let objective = Sample::of(&point.measured[0].iter().map(signed).collect::<Vec<_>>());
        // A measure without values is not known to be within a limit.
        let is_seen = objective.count > 0 && beyond.iter().all(|limit| limit.sample.count > 0);
        let violation = if is_seen { by_bound.sum() } else { f64::INFINITY };
        Self { count: point.digests.len(), objective, beyond, violation }
    }
}

/// The smallest number from which on a condition holds, to a thousandth of it; `None` where there is none.
fn smallest(holds: impl Fn(f64) -> bool) -> Option<f64> {
    if holds(0.0) {
        return Some(0.0);
    }
    let (least, most) = (f64::MIN_POSITIVE.sqrt(), f64::MAX.sqrt());
    if !holds(most) {
        return None;
    }
    let mut above = 1.0;
    while !holds(above) {
        above *= 2.0;
    }
    let mut below = above / 2.0;
    while holds(below) && below > least {
        (above, below) = (below, below / 2.0);
    }
    while above - below > above * 1e-3 {
        let middle = below + (above - below) / 2.0;
        if holds(middle) { above = middle } else { below = middle }
    }
    Some(above)
}

/// The probability that the estimated figure is at most 0; 0 where it has no values.
fn within(estimate: &Estimate) -> f64 {
    match estimate.mean {
        _ if estimate.count == 0 => 0.0,
        mean if mean == 0.0 && estimate.standard_deviation.unwrap_or(0.0) == 0.0 => 1.0,
        _ => below(estimate, 0.0),
    }
}

/// The probability that the estimated figure is below a value, by Student's t.
fn below(estimate: &Estimate, value: f64) -> f64 {
    let apart = value - estimate.mean;
    let error = match estimate.standard_deviation {
        Some(deviation) if deviation > 0.0 => deviation / (estimate.count as f64).sqrt(),
        Some(_) => return if apart > 0.0 { 1.0 } else { 0.0 },
        // One replication does not show its error.
        None => return 0.5,
    };
    student(apart / error, estimate.count - 1)
}

/// Degrees of freedom from which on Student's t is as good as normal.
const NORMAL: u64 = 300;

/// The probability that Student's t is below a value. Decisions depend on it, so it is the same on every platform: for an even number
/// of degrees of freedom a finite sum (Abramowitz and Stegun, 26.7.4), for an odd number that of one less, whose tails are heavier.
fn student(t: f64, freedom: u64) -> f64 {
    match freedom {
        0 | 1 => 0.5 + libm::atan(t) / std::f64::consts::PI,
        NORMAL.. => libm::erfc(-t / std::f64::consts::SQRT_2) / 2.0,
        _ => {
            let freedom = (freedom / 2 * 2) as f64;
            let squared = freedom / (freedom + t * t);
            // The outermost term last, since the smallest come first.
            let mut sum = 1.0;
            let mut place = freedom - 2.0;
            while place >= 2.0 {
                sum = 1.0 + sum * squared * (place - 1.0) / place;
                place -= 2.0;
            }
            0.5 + t / (freedom + t * t).sqrt() * sum / 2.0
        }
    }
}

impl OptimizationOutcome {
    /// Assesses the points that it has.
    pub(super) fn assess(&mut self, optimization: &Optimization) {
        let mut comparison = Comparison::default();
        comparison.update(optimization, &self.points);
        let known: HashSet<&Vec<usize>> = self.places.iter().chain(&self.refused).collect();
        self.assessment = comparison.standing(optimization).map(|standing| {
            let mut neighbours = optimization.space.neighbours(&self.places[standing.best]);
            Assessment {
                point: standing.best,
                is_within: standing.is_within,
                confidence: standing.confidence(),
                better_by: standing.better_by(),
                has_all_neighbours: neighbours.all(|place| known.contains(&place)),
            }
        });
    }

    /// The points with all of their first replications, up to the first point without.
    #[must_use]
    pub fn ended(&self, optimization: &Optimization) -> Self {
        let least = optimization.settings.replications as usize;
        let ended = self.points.iter().take_while(|point| point.digests.len() >= least).count();
        if ended == self.points.len() {
            return self.clone();
        }
        let (places, points) = (self.places[..ended].to_vec(), self.points[..ended].to_vec());
        let mut outcome = Self { places, points, ..self.clone() };
        outcome.assess(optimization);
        outcome
    }

    /// The places of the points, the best first: points within the limits by the first measure, the others by how far they are
    /// beyond.
    pub fn order(&self, optimization: &Optimization) -> Vec<usize> {
        let mut comparison = Comparison::default();
        comparison.update(optimization, &self.points);
        comparison.order()
    }

    /// Whether the samples of a point are within all limits.
    pub fn is_within(&self, optimization: &Optimization, point: usize) -> bool {
        let point = &self.points[point];
        !point.digests.is_empty() && Seen::of(optimization, point).violation == 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Measure;
    use statrs::distribution::{ContinuousCDF, StudentsT};

    #[test]
    fn probabilities_are_those_of_student() {
        for freedom in [1_u64, 2, 4, 9, 30, 298, 299, 1000] {
            let same = if freedom == 1 || freedom >= NORMAL { freedom } else { freedom / 2 * 2 };
            for t in [-9.0_f64, -3.0, -1.5, -0.2, 0.0, 0.7, 2.0, 4.0] {
                let count = freedom + 1;
                let deviation = (count as f64).sqrt();
                let estimate = Estimate { mean: -t, standard_deviation: Some(deviation), half_width: None, count };
                let known = StudentsT::new(0.0, 1.0, same as f64).unwrap().cdf(t);
                let (ours, room) = (below(&estimate, 0.0), if freedom >= NORMAL { 5e-4 } else { 1e-12 });
                assert!((ours - known).abs() < room, "{freedom} {t}: {ours} {known}");
            }
        }
        assert_eq!((smallest(|_| true), smallest(|_| false)), (Some(0.0), None));
        for bound in [1e-5, 0.3, 7.0, 1e6] {
            let found = smallest(|value| value >= bound).unwrap();
            assert!(found >= bound && found < 1.001 * bound, "{found} {bound}");
        }
        let exact = |mean| Estimate { mean, standard_deviation: Some(0.0), half_width: Some(0.0), count: 5 };
        assert_eq!([-1.0, 0.0, 1.0].map(|mean| within(&exact(mean))), [1.0, 1.0, 0.0]);
        assert_eq!(below(&exact(0.0), 0.0), 0.0);
    }

    /// A case that did not occur in a hundred may have a probability above one in a thousand, but hardly above one in
    /// ten.
    #[test]
    fn what_was_never_seen_may_be_rare() {
        let limit = |figure: &str, bound| {
            let measure = Measure::parse(&format!("network.{figure}")).unwrap();
            Limit { measure, bound, is_most: true }
        };
        let pairs = [[0.0, 10.0]; 10];
        let within = |figure, bound, is_drawn| Beyond::of(&limit(figure, bound), &pairs, is_drawn).within();
        let loss = "loss_probability";
        assert!(within(loss, 0.001, true) < 0.1 && within(loss, 0.1, true) > 0.999);
        assert_eq!((within(loss, 0.001, false), within(loss, 0.0, true)), (1.0, 0.0));
        // A time in seconds is as rare as the same time in hours.
        for bound in [0.0, 0.001, 3.6, 1e9] {
            assert_eq!(within("mean_waiting_time", bound, true), 1.0 - 1.0 / 12.0);
        }
        let seen = Beyond::of(&limit(loss, 0.001), &[[0.0, 10.0], [1.0, 10.0]], true);
        assert!(seen.rare.is_none() && seen.within() < 0.5);
    }
}
