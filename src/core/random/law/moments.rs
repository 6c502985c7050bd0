//! Means and deviations of laws.

use super::ServiceLaw;
use crate::random::phases::Phases;

impl ServiceLaw {
    /// The mean service time, in time units.
    pub fn mean(&self) -> f64 {
        match *self {
            Self::Exponential { mean } | Self::Erlang { mean, .. } => mean,
            Self::Constant { time } => time,
            Self::Uniform { low, high } => (low + high) / 2.0,
            Self::Hyperexponential { probability, first, second } => probability * first + (1.0 - probability) * second,
            Self::Triangular { low, mode, high } => (low + mode + high) / 3.0,
            _ => self.moments()[0],
        }
    }

    /// Standard deviation by mean.
    #[doc(hidden)]
    pub fn coefficient_of_variation(&self) -> f64 {
        match *self {
            Self::Exponential { .. } => 1.0,
            Self::Constant { .. } => 0.0,
            Self::Uniform { low, high } => (high - low) / 12.0_f64.sqrt() / self.mean(),
            Self::Erlang { stages, .. } => f64::from(stages).sqrt().recip(),
            Self::Hyperexponential { probability, first, second } => {
                let square = 2.0 * (probability * first * first + (1.0 - probability) * second * second);
                (square / self.mean().powi(2) - 1.0).sqrt()
            }
            _ => {
                let [mean, square] = self.moments();
                (square / (mean * mean) - 1.0).max(0.0).sqrt()
            }
        }
    }

    /// The mean and the mean square of a law with a table, the same on every platform.
    pub(super) fn moments(&self) -> [f64; 2] {
        if let Some((law, numbers)) = self.tabled() {
            let (low, [mean, square]) = ((law.low)(&numbers), (law.excess)(&numbers));
            return [low + mean, low * low + 2.0 * low * mean + square];
        }
        match self {
            Self::Coxian { means, probabilities } => {
                let (first, rates) = coxian(means, probabilities);
                Phases { first: &first, rates: &rates }.moments()
            }
            Self::PhaseType { first, rates } => Phases { first, rates }.moments(),
            Self::Discrete { values } => weighted(values.iter().map(|&(value, weight)| (value, value * value, weight))),
            Self::Samples { values } => weighted(values.iter().map(|&value| (value, value * value, 1.0))),
            Self::Histogram { edges, weights } => {
                weighted(edges.windows(2).zip(weights.iter()).map(|(ends, &weight)| {
                    let (a, b) = (ends[0], ends[1]);
                    ((a + b) / 2.0, (a * a + a * b + b * b) / 3.0, weight)
                }))
            }
            _ => unreachable!("no table: {self}"),
        }
    }
}

/// The mean and the mean square of parts with weights.
fn weighted(parts: impl Iterator<Item = (f64, f64, f64)>) -> [f64; 2] {
    let add = |[a, b, c]: [f64; 3], (mean, square, weight): (f64, f64, f64)| {
        [a + weight * mean, b + weight * square, c + weight]
    };
    let [mean, square, weight] = parts.fold([0.0; 3], add);
    [mean / weight, square / weight]
}

/// The first phases and the rates of a Coxian law.
pub(super) fn coxian(means: &[f64], probabilities: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let n = means.len();
    let first = (0..n).map(|phase| f64::from(u8::from(phase == 0))).collect();
    let mut rates = vec![0.0; n * n];
    for (phase, mean) in means.iter().enumerate() {
        rates[phase * n + phase] = -1.0 / mean;
        if let Some(probability) = probabilities.get(phase) {
            rates[phase * n + phase + 1] = probability / mean;
        }
    }
    (first, rates)
}
