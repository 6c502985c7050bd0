//! A figure over independent replications: its mean and its confidence interval.

#[cfg(feature = "files")]
use schemars::JsonSchema;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// How often the interval of an [`Estimate`] contains the true mean of a normal law.
pub const CONFIDENCE: f64 = 0.95;

/// A figure over independent replications, with its 95 % confidence interval.
///
/// The interval of a mean is Student's (1908): t(n - 1) s / √n. It is exact for figures that are normal, and a mean over a long run
/// nearly is. Of a skewed figure it covers less: of ten exponential draws, 90 %.
///
/// Figures have the unit of what was estimated. In JSON, a figure that does not exist is `null`.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::statistics::Estimate;
/// let estimate = Estimate::of([4.0, 5.0, 6.0]);
/// assert_eq!((estimate.mean, estimate.standard_deviation, estimate.count), (5.0, Some(1.0), 3));
/// // t = 4.303 for two degrees of freedom, by the root of 3.
/// assert!((estimate.half_width.unwrap() - 2.484).abs() < 0.001);
/// assert!((estimate.relative().unwrap() - 0.497).abs() < 0.001);
/// assert_eq!(Estimate::of([4.0]).half_width, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "files", derive(JsonSchema))]
pub struct Estimate {
    /// The sample mean, or the figure of all replications together; 0 of nothing.
    pub mean: f64,
    /// The sample standard deviation (by n - 1); missing, in JSON `null`, of fewer than two values.
    pub standard_deviation: Option<f64>,
    /// Half the width of the 95 % interval; missing, in JSON `null`, of fewer than two values: one run says nothing of its error.
    pub half_width: Option<f64>,
    /// The number of replications that it rests on.
    pub count: u64,
}

impl Estimate {
    /// The estimate from one value of each replication.
    ///
    /// The squares are summed about the running mean (Welford 1962), so that a small spread about a large mean is kept. A
    /// value that is not finite makes the figures so, too.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let (mut mean, mut squares, mut count) = (0.0, 0.0, 0_u64);
        for value in values {
            count += 1;
            let difference: f64 = value - mean;
            mean += difference / count as f64;
            squares += difference * (value - mean);
        }
        let standard_deviation = (count > 1).then(|| (squares / (count - 1) as f64).sqrt());
        let half_width = standard_deviation.and_then(|s| Some(quantile(count - 1)? * s / (count as f64).sqrt()));
        Self { mean, standard_deviation, half_width, count }
    }

    /// The ratio of two sums over the replications, from the two numbers of each: a mean waiting time from the sum of the
    /// waiting times and the number of services. A replication whose second number is 0 has nothing to say of the ratio and
    /// is left out; [`Estimate::count`] tells how many are left.
    ///
    /// A mean of the ratios of each replication would give a service in a short or idle one more weight than another, and
    /// is biased by as much in a thousand replications as in one; the bias of a ratio of sums shrinks with their number. The
    /// interval is the jackknife's ([`Estimate::jackknife`]), which leaves out one replication after the other; Iglehart
    /// (1975, Simulating Stable Stochastic Systems, V: Comparison of Ratio Estimators) found it the best of several.
    /// Where the second numbers are all the same, both are those of [`Estimate::of`].
    ///
    /// ```
    /// # use tickless_core::facade as tickless;
    /// use tickless::statistics::Estimate;
    /// // Ten services that waited 20 units in all, two that waited 10, and a replication without one.
    /// let estimate = Estimate::ratio([[20.0, 10.0], [10.0, 2.0], [0.0, 0.0]]);
    /// assert_eq!((estimate.mean, estimate.count), (2.5, 2));
    /// ```
    pub fn ratio(replications: impl IntoIterator<Item = [f64; 2]>) -> Self {
        let measured: Vec<[f64; 2]> = replications.into_iter().filter(|[_, below]| *below > 0.0).collect();
        let [above, below] = measured.iter().fold([0.0, 0.0], |[a, b], [above, below]| [a + above, b + below]);
        let all = if measured.is_empty() { 0.0 } else { above / below };
        // The ratio of the others is the ratio of all, less the change by the one left out: exact where that is 0.
        let without = |[a, b]: &[f64; 2]| (1, all - (a - all * b) / (below - b));
        Self::jackknife(all, measured.iter().map(without))
    }

    /// A figure of all replications together, with an interval from the same figure without one group of them after the
    /// other: `without` has the number of replications in each group and the figure without it.
    ///
    /// The jackknife of Quenouille and Tukey (Miller 1974, The Jackknife: A Review) for groups of any size (Busing, Meijer
    /// and van der Leeden 1999, Delete-m Jackknife for Unequal m), with the figure itself as the estimate, and with
    /// Student's t of one degree of freedom less than there are groups. For a mean and groups of one it is [`Estimate::of`].
    /// The standard deviation is the standard error by the root of the number of replications.
    ///
    /// ```
    /// # use tickless_core::facade as tickless;
    /// use tickless::statistics::Estimate;
    /// let mean = Estimate::jackknife(5.0, [(1, 5.5), (1, 5.0), (1, 4.5)]);
    /// let same = Estimate::of([4.0, 5.0, 6.0]);
    /// assert_eq!((mean.mean, mean.count), (same.mean, same.count));
    /// assert!((mean.half_width.unwrap() - same.half_width.unwrap()).abs() < 1e-12);
    /// ```
    pub fn jackknife(all: f64, without: impl IntoIterator<Item = (u64, f64)>) -> Self {
        let groups: Vec<(u64, f64)> = without.into_iter().collect();
        let count: u64 = groups.iter().map(|(size, _)| size).sum();
        if groups.len() < 2 {
            return Self { mean: all, standard_deviation: None, half_width: None, count };
        }
        let number = groups.len() as f64;
        // How much a group moves the figure, scaled up as if the group were all there is: Tukey's pseudovalue less the
        // figure.
        let moves = || {
            groups.iter().map(|(size, rest)| {
                let others = count as f64 / *size as f64 - 1.0;
                (others, others * (all - rest))
            })
        };
        let centre: f64 = moves().map(|(others, moved)| moved / (others + 1.0)).sum();
        let variance = moves().map(|(others, moved)| (moved - centre).powi(2) / others).sum::<f64>() / number;
        let error = variance.sqrt();
        let half_width = quantile(groups.len() as u64 - 1).map(|factor| factor * error);
        Self { mean: all, standard_deviation: Some(error * (count as f64).sqrt()), half_width, count }
    }

    /// The relative precision: the half width by the absolute mean. `None` where there is no interval, or where the mean
    /// is 0 and the half width is not.
    pub fn relative(&self) -> Option<f64> {
        match self.half_width? {
            0.0 => Some(0.0),
            half => (self.mean != 0.0).then(|| half / self.mean.abs()),
        }
    }
}

/// The quantile of Student's t that is exceeded with half of the probability outside [`CONFIDENCE`].
pub fn quantile(freedom: u64) -> Option<f64> {
    let (below, n) = (0.5 + CONFIDENCE / 2.0, freedom as f64);
    if freedom < 1000 {
        return Some(StudentsT::new(0.0, 1.0, n).ok()?.inverse_cdf(below));
    }
    // Fisher's expansion about the normal quantile, here good to 1e-8; the inverse loses digits in the large.
    let z = Normal::standard().inverse_cdf(below);
    Some(z + (z.powi(3) + z) / (4.0 * n) + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * n * n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{ServiceLaw, StreamKey};

    #[test]
    fn quantiles_are_those_of_the_tables() {
        let table = [(1, 12.706205), (2, 4.302653), (4, 2.776445), (9, 2.262157), (29, 2.045230), (99, 1.984217)];
        for (freedom, value) in table {
            assert!((quantile(freedom).unwrap() - value).abs() < 2e-6, "{freedom}");
        }
        // The normal law's 1.959964 is the limit.
        let limit = quantile(1_000_000).unwrap();
        assert!((limit - 1.959966).abs() < 2e-6, "{limit}");
        let (before, after) = (quantile(999).unwrap(), quantile(1000).unwrap());
        assert!((1e-6..4e-6).contains(&(before - after)), "{before} {after}");
    }

    #[test]
    fn ten_values_by_hand() {
        let estimate = Estimate::of((1..=10).map(f64::from));
        assert_eq!((estimate.mean, estimate.count), (5.5, 10));
        // The squares about 5.5 add up to 82.5.
        let s = (82.5_f64 / 9.0).sqrt();
        assert!((estimate.standard_deviation.unwrap() - s).abs() < 1e-12);
        assert!((estimate.half_width.unwrap() - 2.262157 * s / 10_f64.sqrt()).abs() < 1e-5);
    }

    #[test]
    fn a_small_spread_about_a_large_mean_is_kept() {
        let estimate = Estimate::of([1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0]);
        assert_eq!(estimate.mean, 1e9 + 10.0);
        assert!((estimate.standard_deviation.unwrap() - 30_f64.sqrt()).abs() < 1e-9);
    }

    #[test]
    fn ratios_of_equal_denominators_are_means() {
        let values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0];
        let (mean, ratio) = (Estimate::of(values), Estimate::ratio(values.map(|value| [7.0 * value, 7.0])));
        assert!((mean.mean - ratio.mean).abs() < 1e-14);
        assert!((mean.standard_deviation.unwrap() - ratio.standard_deviation.unwrap()).abs() < 1e-12);
        assert!((mean.half_width.unwrap() - ratio.half_width.unwrap()).abs() < 1e-12);
        let same = Estimate::ratio([[0.1, 1.0], [0.2, 2.0], [0.7, 7.0]]);
        assert!((same.mean - 0.1).abs() < 1e-15 && same.half_width.unwrap() < 1e-15, "{same:?}");
    }

    #[test]
    fn replications_that_measured_nothing_are_left_out() {
        let with = Estimate::ratio([[6.0, 2.0], [0.0, 0.0], [4.0, 4.0], [0.0, 0.0], [3.0, 1.0]]);
        let without = Estimate::ratio([[6.0, 2.0], [4.0, 4.0], [3.0, 1.0]]);
        assert_eq!((with, with.count, with.mean), (without, 3, 13.0 / 7.0));
        let one = Estimate::ratio([[6.0, 2.0], [0.0, 0.0]]);
        assert_eq!((one.mean, one.half_width, one.count), (3.0, None, 1));
        let none = Estimate::ratio([[0.0, 0.0]; 4]);
        assert_eq!((none.mean, none.half_width, none.count), (0.0, None, 0));
    }

    /// Twenty values in eight groups of two and three: on the average the same estimate of the spread as from the values.
    #[test]
    fn unequal_groups_give_the_same_spread() {
        let law = "exponential:1".parse::<ServiceLaw>().unwrap().effective(None);
        let (mut grouped, mut single) = (0.0, 0.0);
        for sample in 0..2000 {
            let mut stream = StreamKey::new(3, 0).stream(sample);
            let values: Vec<f64> = (0..20).map(|_| law.service(&mut stream).units()).collect();
            let sum: f64 = values.iter().sum();
            let groups = (0..8).map(|place| {
                let group = &values[place * 20 / 8..(place + 1) * 20 / 8];
                let left = 20 - group.len();
                (group.len() as u64, (sum - group.iter().sum::<f64>()) / left as f64)
            });
            grouped += Estimate::jackknife(sum / 20.0, groups).standard_deviation.unwrap().powi(2) / 2000.0;
            single += Estimate::of(values.iter().copied()).standard_deviation.unwrap().powi(2) / 2000.0;
        }
        assert!((grouped / single - 1.0).abs() < 0.03, "{grouped} {single}");
    }

    #[test]
    fn one_value_none_and_equal_ones() {
        let one = Estimate::of([3.0]);
        assert_eq!((one.mean, one.half_width, one.relative(), one.count), (3.0, None, None, 1));
        let text = serde_json::to_string(&one).unwrap();
        assert_eq!(text, r#"{"mean":3.0,"standard_deviation":null,"half_width":null,"count":1}"#);
        let none = Estimate::of([]);
        assert_eq!((none.mean, none.standard_deviation, none.count), (0.0, None, 0));
        let equal = Estimate::of([0.1; 7]);
        assert!((equal.mean - 0.1).abs() < 1e-16);
        assert!(equal.half_width.unwrap() < 1e-16);
        let zero = Estimate::of([0.0; 3]);
        assert_eq!((zero.half_width, zero.relative()), (Some(0.0), Some(0.0)));
        assert_eq!(Estimate::of([-1.0, 1.0]).relative(), None);
        assert!(Estimate::of([1.0, f64::NAN]).mean.is_nan());
    }

    /// 2,000 intervals from ten draws each. The shares are those of 150,000 intervals of another generator; the measured
    /// share may be 3.29 standard deviations away, which is exceeded once in a thousand seeds.
    #[test]
    fn intervals_contain_the_mean_as_often_as_they_should() {
        const SAMPLES: u32 = 2000;
        for (law, expected) in [("exponential:1", 0.8997), ("uniform:0,2", 0.9465)] {
            let law = law.parse::<ServiceLaw>().unwrap().effective(None);
            let covers = |sample: &u32| {
                let mut stream = StreamKey::new(1, 0).stream(*sample);
                let estimate = Estimate::of((0..10).map(|_| law.service(&mut stream).units()));
                (estimate.mean - 1.0).abs() <= estimate.half_width.unwrap()
            };
            let share = (0..SAMPLES).filter(covers).count() as f64 / f64::from(SAMPLES);
            let bound = 3.29 * (expected * (1.0 - expected) / f64::from(SAMPLES)).sqrt();
            assert!((share - expected).abs() < bound, "{law:?}: {share}, expected {expected} ± {bound}");
        }
    }
}
