//! Quantiles over replications, from one histogram of all of them.

use super::histogram::add;
use super::{Estimate, Scale};

/// The most groups of replications: with so many the factor of Student's interval is within 7 % of the normal law's.
const GROUPS: usize = 20;

/// Histograms of the replications of a run, added up by groups, for quantiles over all replications and their
/// intervals.
///
/// A quantile is that of the histogram of all replications together. A mean of the quantiles of each replication would
/// be biased, the more the fewer times a replication has: of a single time, every quantile is that time.
///
/// The interval is that of the jackknife ([`Estimate::jackknife`]), which leaves out one group after the other. Up to 20
/// replications make a group each, more replications make 20 groups whose sizes differ by at most one. Leaving out single
/// replications of many short ones would not do: the jackknife that deletes one value at a time is not consistent for
/// quantiles, the jackknife that deletes a fixed share is (Shao and Wu 1989, A General Theory for Jackknife Variance
/// Estimation). With fewer than a hundred times beyond a quantile, or before it, its interval covers less: with fifty about
/// 90 %.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::{statistics::{Pooled, Scale}, time::Time};
/// let scale = Scale::new(Time::UNIT, Time::from_units(100.0).unwrap());
/// let mut pooled = Pooled::new(10);
/// for replication in 0..10 {
///     // Ten times each, from 0.5 to 99.5 units in all.
///     let mut counts = vec![0; scale.bins() as usize];
///     for place in 0..10 {
///         let units = f64::from(10 * place) + f64::from(replication) + 0.5;
///         counts[scale.bin(Time::from_units(units).unwrap().ticks())] += 1;
///     }
///     pooled.add(replication as usize, &counts);
/// }
/// let [median, p90] = pooled.quantiles(scale, &[0.5, 0.9], [0.0, 100.0]).unwrap()[..] else { panic!() };
/// assert!((median.mean - 50.0).abs() < 2.0 && (p90.mean - 90.0).abs() < 4.0);
/// assert_eq!(median.count, 10);
/// assert!(median.half_width.is_some());
/// ```
#[derive(Clone, Debug)]
pub struct Pooled {
    replications: usize,
    groups: Vec<Group>,
}

#[derive(Clone, Debug, Default)]
struct Group {
    counts: Vec<u64>,
    /// Replications that counted something.
    replications: u64,
    /// The last such replication.
    last: Option<usize>,
}

impl Pooled {
    /// An empty pool of `replications`.
    pub fn new(replications: usize) -> Self {
        Self { replications, groups: vec![Group::default(); replications.min(GROUPS)] }
    }

    /// Adds the counts of one replication, by the bins of the scale; later counts of the same replication add to it, as
    /// long as no later replication comes in between.
    ///
    /// # Panics
    /// Where the number of the replication is too large.
    pub fn add(&mut self, replication: usize, counts: &[u64]) {
        if counts.iter().all(|count| *count == 0) {
            return;
        }
        let place = replication * self.groups.len() / self.replications;
        let group = &mut self.groups[place];
        if group.last.replace(replication) != Some(replication) {
            group.replications += 1;
        }
        add(&mut group.counts, counts);
    }

    /// The bin that holds everything, where there is only one.
    pub fn only_bin(&self) -> Option<usize> {
        let mut bins = self.groups.iter().flat_map(|group| {
            let counts = group.counts.iter().enumerate();
            counts.filter(|(_, count)| **count > 0).map(|(bin, _)| bin)
        });
        let first = bins.next()?;
        bins.all(|bin| bin == first).then_some(first)
    }

    /// The last bin with a count.
    pub fn last_bin(&self) -> Option<usize> {
        let last = |group: &Group| group.counts.iter().rposition(|count| *count > 0);
        self.groups.iter().filter_map(last).max()
    }

    /// The times that such shares of all times do not exceed ([`Scale::quantile`]), in time units, each within `possible`.
    /// `None` where nothing was counted.
    ///
    /// Each has its 95 % interval where at least two groups have counts; its `count` is the number of replications with
    /// counts.
    pub fn quantiles(&self, scale: Scale, below: &[f64], possible: [f64; 2]) -> Option<Vec<Estimate>> {
        let groups: Vec<&Group> = self.groups.iter().filter(|group| group.replications > 0).collect();
        let mut all = vec![];
        groups.iter().for_each(|group| add(&mut all, &group.counts));
        let [least, most] = possible;
        let of = |counts: &[u64], share| Some(scale.quantile(counts, share)?.min(most).max(least));
        of(&all, 0.5)?;
        let without: Vec<Vec<f64>> = groups
            .iter()
            .map(|group| {
                let mut rest = all.clone();
                rest.iter_mut().zip(&group.counts).for_each(|(count, less)| *count -= less);
                below.iter().map(|share| of(&rest, *share).unwrap_or(0.0)).collect()
            })
            .collect();
        let estimate = |(place, share): (usize, &f64)| {
            let left = groups.iter().zip(&without).map(|(group, values)| (group.replications, values[place]));
            Estimate::jackknife(of(&all, *share).unwrap_or(0.0), left)
        };
        Some(below.iter().enumerate().map(estimate).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{ServiceLaw, StreamKey};
    use crate::time::Time;

    fn scale() -> Scale {
        Scale::new(Time::UNIT, Time::from_units(1000.0).unwrap())
    }

    /// The pool of `replications` with `each` exponential times of mean 1.
    fn exponential(seed: u64, replications: usize, each: usize) -> Pooled {
        let (scale, law) = (scale(), "exponential:1".parse::<ServiceLaw>().unwrap().effective(None));
        let mut pooled = Pooled::new(replications);
        for replication in 0..replications {
            let mut stream = StreamKey::new(seed, 0).stream(replication as u32);
            let mut counts = vec![0; scale.bins() as usize];
            (0..each).for_each(|_| counts[scale.bin(law.service(&mut stream).ticks())] += 1);
            pooled.add(replication, &counts);
        }
        pooled
    }

    const ALL: [f64; 2] = [0.0, f64::INFINITY];

    #[test]
    fn short_replications_leave_quantiles_where_they_are() {
        // A mean of the quantiles of each replication would be 1, the mean of the times, for all three.
        let quantiles = exponential(1, 20_000, 1).quantiles(scale(), &[0.5, 0.9, 0.99], ALL).unwrap();
        for (quantile, share) in quantiles.iter().zip([0.5_f64, 0.9, 0.99]) {
            let truth = -(1.0 - share).ln();
            let error = (quantile.mean - truth).abs();
            assert!(error < 2.0 * quantile.half_width.unwrap() && error < 0.05 * truth, "{share}: {quantile:?}");
        }
        assert_eq!(quantiles[0].count, 20_000);
    }

    /// 600 intervals each: 95 % of them contain the true value where many times are beyond the quantile, 90 % where 40 or
    /// 50 are. 3.29 standard deviations of the share are 3 % and 4 %.
    #[test]
    fn intervals_contain_the_quantile_as_often_as_they_should() {
        const SAMPLES: u64 = 600;
        for (replications, each, least) in [(20, 1000, 0.92), (10, 200, 0.88), (100, 5, 0.86), (400, 1, 0.86)] {
            let shares = [0.5_f64, 0.9];
            let mut covered = [0; 2];
            for sample in 0..SAMPLES {
                let pooled = exponential(1000 + sample, replications, each);
                let found = pooled.quantiles(scale(), &shares, ALL).unwrap();
                for (place, quantile) in found.iter().enumerate() {
                    let error = (quantile.mean + (1.0 - shares[place]).ln()).abs();
                    covered[place] += u64::from(error <= quantile.half_width.unwrap());
                }
            }
            for (share, covered) in shares.into_iter().zip(covered) {
                let found = covered as f64 / SAMPLES as f64;
                assert!((least..0.98).contains(&found), "{replications} x {each}, {share}: {found}");
            }
        }
    }

    #[test]
    fn what_is_impossible_is_not_said() {
        let scale = scale();
        let mut counts = vec![0; scale.bins() as usize];
        counts[scale.bin(2 << 32)] = 5;
        let mut pooled = Pooled::new(2);
        pooled.add(0, &counts);
        assert!(pooled.quantiles(scale, &[0.99], ALL).unwrap()[0].mean > 2.02);
        assert_eq!(pooled.quantiles(scale, &[0.99], [1.0, 2.0]).unwrap()[0].mean, 2.0);
        assert_eq!((pooled.only_bin(), pooled.last_bin()), (Some(scale.bin(2 << 32)), pooled.only_bin()));
        counts[0] = 1;
        pooled.add(1, &counts);
        assert_eq!((pooled.only_bin(), pooled.last_bin()), (None, Some(scale.bin(2 << 32))));
    }

    #[test]
    fn replications_with_nothing_do_not_count() {
        let (scale, mut pooled) = (scale(), Pooled::new(50));
        assert!(pooled.quantiles(scale, &[0.5], ALL).is_none());
        pooled.add(7, &[]);
        pooled.add(8, &[0, 0]);
        pooled.add(9, &[3]);
        pooled.add(9, &[0, 2]);
        let median = pooled.quantiles(scale, &[0.5], ALL).unwrap()[0];
        assert_eq!((median.mean, median.count, median.half_width), (0.0, 1, None));
        pooled.add(49, &[4]);
        assert_eq!(pooled.quantiles(scale, &[0.5], ALL).unwrap()[0].count, 2);
        assert!(Pooled::new(0).quantiles(scale, &[0.5], ALL).is_none());
    }
}
