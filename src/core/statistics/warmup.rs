//! Where the transient of a series ends: MSER-5.

use serde::Serialize;

/// Observations in a batch: the 5 of MSER-5.
const BATCH: usize = 5;
/// The shortest series that leaves a choice: two batches.
const LEAST: usize = 2 * BATCH;

/// A series that is too short or not finite.
///
/// ```
/// # use tickless_core::facade as tickless;
/// let error = tickless::statistics::mser5(&[1.0; 9]).unwrap_err();
/// assert_eq!(error.to_string(), "the series has 9 observations; MSER-5 needs at least 10: observe in shorter slices");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SeriesError {
    /// Fewer than two batches.
    #[error("the series has {count} observations; MSER-5 needs at least {LEAST}: observe in shorter slices")]
    TooShort {
        /// How many there are.
        count: usize,
    },
    /// A value that is not finite.
    #[error("observation {place} of the series is {value}; it must be finite: leave out what was not observed")]
    NotFinite {
        /// Its place, from 0 on.
        place: usize,
        /// The value.
        value: f64,
    },
}

/// The observations to delete at the start of a series.
///
/// ```
/// # use tickless_core::facade as tickless;
/// let truncation = tickless::statistics::mser5(&[2.5; 100])?;
/// assert_eq!((truncation.observations, truncation.at_the_edge), (0, false));
/// # Ok::<(), tickless::statistics::SeriesError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Truncation {
    /// How many observations to delete: a multiple of 5, at most half of the series.
    pub observations: usize,
    /// Whether that is the most that may be deleted: the series is too short to show the end of its transient.
    pub at_the_edge: bool,
    /// The number of independent observations that the remaining batches are worth, n (1 - r) / (1 + r) with r their
    /// correlation at lag 1 (Bayley and Hammersley 1946), at most their number. Where it is small, the series has not
    /// yet come back to its mean often enough for a reliable truncation.
    pub independent: f64,
}

/// Where to truncate a series that starts in a transient: MSER-5 (White 1997; White, Cobb and Spratt 2000).
///
/// With the means of n batches of five observations, it deletes the d ≤ n / 2 batches for which the marginal standard error
/// is least, z(d) = S²(d) / (n - d)², where S²(d) is the sum of squares of the batches behind the first d about their own
/// mean; of several such d the least. Up to four observations at the end fill no batch and are left out. It takes O(n).
///
/// # Errors
/// [`SeriesError`] where there are fewer than ten observations, or an observation is not finite.
///
/// ```
/// # use tickless_core::facade as tickless;
/// // 100 observations on the way down to a level of 5, then 900 that waver about it.
/// let level = |i: usize| 5.0 + [0.1, -0.2, 0.2, 0.0, -0.1, 0.3, -0.3][i * i % 7];
/// let series: Vec<f64> = (0..1000).map(|i| level(i) + (100.0 - i as f64).max(0.0)).collect();
/// let truncation = tickless::statistics::mser5(&series)?;
/// assert_eq!((truncation.observations, truncation.at_the_edge), (100, false));
/// # Ok::<(), tickless::statistics::SeriesError>(())
/// ```
pub fn mser5(observations: &[f64]) -> Result<Truncation, SeriesError> {
    if observations.len() < LEAST {
        return Err(SeriesError::TooShort { count: observations.len() });
    }
    if let Some(place) = observations.iter().position(|value| !value.is_finite()) {
        return Err(SeriesError::NotFinite { place, value: observations[place] });
    }
    let batches: Vec<f64> =
        observations.chunks_exact(BATCH).map(|batch| batch.iter().sum::<f64>() / BATCH as f64).collect();
    let deleted = least_error(&batches);
    Ok(Truncation {
        observations: deleted * BATCH,
        at_the_edge: deleted == batches.len() / 2,
        independent: independent(&batches[deleted..]),
    })
}

/// How many batches to delete. Goes backwards, so that sums about a running mean (Welford 1962) are those of each suffix.
fn least_error(batches: &[f64]) -> usize {
    let (mut mean, mut squares) = (0.0, 0.0);
    let (mut least, mut best) = (f64::INFINITY, 0);
    for (deleted, batch) in batches.iter().enumerate().rev() {
        let kept = (batches.len() - deleted) as f64;
        let difference = batch - mean;
        mean += difference / kept;
        squares += difference * (batch - mean);
        let error = squares / (kept * kept);
        if deleted <= batches.len() / 2 && error <= least {
            (least, best) = (error, deleted);
        }
    }
    best
}

/// The effective number of observations of a series whose correlation is of first order.
fn independent(series: &[f64]) -> f64 {
    let count = series.len() as f64;
    let mean = series.iter().sum::<f64>() / count;
    let squares: f64 = series.iter().map(|value| (value - mean).powi(2)).sum();
    let products: f64 = series.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    // Equal values leave only the rounding of their mean.
    let constant = squares <= count * (1e-12 * mean).powi(2);
    let correlation = if constant { 0.0 } else { (products / squares).max(0.0) };
    count * (1.0 - correlation) / (1.0 + correlation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Stream, StreamKey};

    /// A value between -1 and 1.
    fn noise(stream: &mut Stream) -> f64 {
        f64::from(stream.draw()) / 2_f64.powi(31) - 1.0
    }

    fn series(seed: u64, count: usize, level: impl Fn(f64) -> f64) -> Vec<f64> {
        let mut stream = StreamKey::new(seed, 0).stream(0);
        (0..count).map(|i| level(i as f64) + noise(&mut stream)).collect()
    }

    #[test]
    fn a_constant_series_loses_nothing() {
        for value in [0.0, 0.1, -7e9] {
            let found = mser5(&[value; 103]).unwrap();
            assert_eq!(found, Truncation { observations: 0, at_the_edge: false, independent: 20.0 });
        }
    }

    /// A deviation of 10 exp(-i / 50) beside batch means of standard deviation σ = 0.258. The least error deletes batches
    /// until their deviation is √2 σ, which is at i = 165 in the mean.
    #[test]
    fn an_exponential_transient_is_deleted() {
        for seed in 1..=20 {
            let found = mser5(&series(seed, 2000, |i| 10.0 * (-i / 50.0).exp())).unwrap();
            assert!((110..=260).contains(&found.observations), "seed {seed}: {found:?}");
            assert!(!found.at_the_edge);
        }
    }

    #[test]
    fn the_definition_gives_the_same() {
        for (seed, count) in (1..=40).zip((10..).step_by(13)) {
            let series = series(seed, count, |i| 30.0 * (-i / 20.0).exp());
            let batches: Vec<f64> = series.chunks_exact(5).map(|batch| batch.iter().sum::<f64>() / 5.0).collect();
            let error = |deleted: usize| {
                let rest = &batches[deleted..];
                let mean = rest.iter().sum::<f64>() / rest.len() as f64;
                rest.iter().map(|b| (b - mean).powi(2)).sum::<f64>() / (rest.len() as f64).powi(2)
            };
            let least = (0..=batches.len() / 2).min_by(|a, b| error(*a).total_cmp(&error(*b))).unwrap();
            assert_eq!(mser5(&series).unwrap().observations, 5 * least, "seed {seed}, {count} observations");
        }
    }

    #[test]
    fn a_trend_to_the_end_is_at_the_edge() {
        let found = mser5(&series(1, 1000, |i| i / 10.0)).unwrap();
        assert_eq!((found.observations, found.at_the_edge), (500, true));
        assert!(found.independent < 5.0, "{found:?}");
    }

    #[test]
    fn what_remains_is_worth_as_much_as_its_correlation_lets_it() {
        assert!(mser5(&series(1, 5000, |_| 0.0)).unwrap().independent > 400.0);
        // With a correlation of 0.9, n values are worth n / 19.
        let mut stream = StreamKey::new(2, 0).stream(0);
        let mut value = 0.0;
        let correlated: Vec<f64> = std::iter::repeat_with(|| {
            value = 0.9 * value + noise(&mut stream);
            value
        })
        .take(20_000)
        .collect();
        let worth = independent(&correlated);
        assert!((worth / (20_000.0 / 19.0) - 1.0).abs() < 0.1, "{worth}");
    }

    #[test]
    fn what_is_no_series_is_refused() {
        assert_eq!(mser5(&[]), Err(SeriesError::TooShort { count: 0 }));
        assert_eq!(mser5(&[1.0; 9]), Err(SeriesError::TooShort { count: 9 }));
        assert!(mser5(&[1.0; 10]).is_ok());
        let mut series = [1.0; 20];
        series[13] = f64::INFINITY;
        let error = mser5(&series).unwrap_err();
        assert_eq!(error, SeriesError::NotFinite { place: 13, value: f64::INFINITY });
    }
}
