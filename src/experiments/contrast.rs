//! Figures of points, and weighted sums of them: differences, effects, interactions.

use std::borrow::Cow;

use super::measure::Pair;
use tickless_core::statistics::Estimate;

/// The values of one measure in the replications of one point.
///
/// The figure is the ratio of two sums over the replications, and each replication moves it ([`Estimate::ratio`] has the same figure,
/// and the same interval): Tukey's pseudovalue of a replication is the figure and its move. With common random numbers replication r
/// has the same luck at every point; a difference of points moves by the difference of their moves, whose spread is less than that of
/// either.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// The figure of all replications together.
    pub figure: f64,
    /// How much each replication moves the figure; 0 for a replication without a value.
    pub moves: Vec<f64>,
    /// The number of replications with a value.
    pub count: u64,
    pairs: Vec<Pair>,
}

impl Sample {
    /// The sample of the values of replications.
    ///
    /// ```
    /// # use tickless_experiments::facade as tickless;
    /// use tickless::{experiments::Sample, statistics::Estimate};
    /// let pairs = [[20.0, 10.0], [10.0, 2.0], [3.0, 4.0]];
    /// let (sample, known) = (Sample::of(&pairs), Estimate::ratio(pairs));
    /// assert_eq!(sample.figure, known.mean);
    /// assert!((sample.estimate().half_width.unwrap() - known.half_width.unwrap()).abs() < 1e-12);
    /// ```
    pub fn of(pairs: &[Pair]) -> Self {
        let measured = || pairs.iter().filter(|[_, below]| *below > 0.0);
        let [above, below] = measured().fold([0.0, 0.0], |[a, b], [above, below]| [a + above, b + below]);
        let count = measured().count() as u64;
        let figure = if count == 0 { 0.0 } else { above / below };
        let others = count.saturating_sub(1) as f64;
        // The ratio of the others is the ratio of all, less the change by the one left out.
        let moved = |[a, b]: &Pair| if *b > 0.0 && count > 1 { others * (a - figure * b) / (below - b) } else { 0.0 };
        Self { figure, moves: pairs.iter().map(moved).collect(), count, pairs: pairs.to_vec() }
    }

    /// Whether a replication has a value.
    fn says(&self, replication: usize) -> bool {
        self.pairs.get(replication).is_none_or(|[_, below]| *below > 0.0)
    }

    /// The same with only some of the first replications.
    fn of_some(&self, chosen: &[bool]) -> Cow<'_, Self> {
        if chosen.len() == self.pairs.len() && chosen.iter().all(|is_chosen| *is_chosen) || self.pairs.is_empty() {
            return Cow::Borrowed(self);
        }
        let pairs = self.pairs.iter().zip(chosen).filter(|(_, is_chosen)| **is_chosen).map(|(pair, _)| *pair);
        Cow::Owned(Self::of(&pairs.collect::<Vec<_>>()))
    }

    /// The pseudovalue of each replication.
    pub fn values(&self) -> impl Iterator<Item = f64> + '_ {
        self.moves.iter().map(|moved| self.figure + moved)
    }

    /// The figure with its interval.
    pub fn estimate(&self) -> Estimate {
        contrast(&[(1.0, self)])
    }
}

/// A weighted sum of figures, and its 95 % interval: replication r of each had the same luck, or all were independent.
///
/// Where points have different numbers of replications the first ones count, as many as all have, and of these only replications with a
/// value at every point: others would compare different luck.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::{Sample, contrast};
/// let (a, b) = (Sample::of(&[[4.0, 1.0], [6.0, 1.0]]), Sample::of(&[[3.0, 1.0], [5.0, 1.0]]));
/// // The same luck: each replication of the one is 1 above that of the other.
/// let difference = contrast(&[(1.0, &a), (-1.0, &b)]);
/// assert_eq!((difference.mean, difference.half_width), (1.0, Some(0.0)));
/// ```
pub fn contrast(terms: &[(f64, &Sample)]) -> Estimate {
    let replications = terms.iter().map(|(_, sample)| sample.moves.len()).min().unwrap_or(0);
    let all_say = |replication| terms.iter().all(|(_, sample)| sample.says(replication));
    let chosen: Vec<bool> =
        if terms.len() > 1 { (0..replications).map(all_say).collect() } else { vec![true; replications] };
    let replications = chosen.iter().filter(|is_chosen| **is_chosen).count();
    let terms: Vec<_> = terms.iter().map(|(weight, sample)| (weight, sample.of_some(&chosen))).collect();
    let mean = terms.iter().map(|(weight, sample)| *weight * sample.figure).sum();
    let moved = |replication: usize| terms.iter().map(|(weight, sample)| *weight * sample.moves[replication]).sum();
    let spread = Estimate::of((0..replications).map(moved).collect::<Vec<f64>>());
    let count = terms.iter().map(|(_, sample)| sample.count).min().unwrap_or(0);
    let is_known = count > 1;
    Estimate {
        mean,
        standard_deviation: spread.standard_deviation.filter(|_| is_known),
        half_width: spread.half_width.filter(|_| is_known),
        count,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::random::StreamKey;

    /// The interval of a ratio is the jackknife's, whatever the denominators.
    #[test]
    fn a_figure_has_the_interval_of_its_estimate() {
        let mut stream = StreamKey::new(4, 0).stream(0);
        for count in [0, 1, 2, 3, 17, 100] {
            let mut draw = || f64::from(stream.draw() >> 20);
            let pairs: Vec<Pair> = (0..count).map(|_| [draw(), draw().max(1.0)]).collect();
            let (ours, known) = (Sample::of(&pairs).estimate(), Estimate::ratio(pairs.iter().copied()));
            assert_eq!((ours.mean, ours.count), (known.mean, known.count));
            match (ours.half_width, known.half_width) {
                (Some(ours), Some(known)) => assert!((ours / known - 1.0).abs() < 1e-9, "{count}: {ours} {known}"),
                both => assert_eq!(both, (None, None)),
            }
        }
    }

    /// A point with more replications is compared by the replications that both points have.
    #[test]
    fn different_numbers_of_replications_are_compared_by_those_of_both() {
        let (few, many) = (Sample::of(&[[1.0, 1.0], [2.0, 1.0]]), Sample::of(&[[4.0, 1.0], [5.0, 1.0], [99.0, 1.0]]));
        let found = contrast(&[(1.0, &many), (-1.0, &few)]);
        assert_eq!((found.mean, found.half_width, found.count), (3.0, Some(0.0), 2));
        assert_eq!(contrast(&[(1.0, &many)]).mean, 36.0);
    }

    /// Half of the variance of a difference is gone where half of the luck is shared.
    #[test]
    fn shared_luck_narrows_differences() {
        let mut stream = StreamKey::new(5, 0).stream(0);
        let mut draw = || f64::from(stream.draw() >> 16);
        let luck: Vec<f64> = (0..4000).map(|_| draw()).collect();
        let mut with = |share: f64| -> Sample {
            let pairs: Vec<Pair> = luck.iter().map(|luck| [share * luck + (1.0 - share) * draw(), 1.0]).collect();
            Sample::of(&pairs)
        };
        let half = |a: &Sample, b: &Sample| contrast(&[(1.0, a), (-1.0, b)]).half_width.unwrap();
        let (shared, apart) = (half(&with(0.5), &with(0.5)), half(&with(0.0), &with(0.0)));
        assert!((shared / apart - 0.5).abs() < 0.05, "{shared} {apart}");
    }
}
