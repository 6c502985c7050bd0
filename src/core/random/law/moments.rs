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
            Self::Gamma { mean, .. } | Self::Lognormal { mean, .. } => mean,
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
        match self {
            Self::Gamma { shape, mean } => [*mean, mean * mean * (1.0 + 1.0 / shape)],
            Self::Weibull { shape, scale } => {
                [1.0, 2.0].map(|power| libm::pow(*scale, power) * libm::tgamma(1.0 + power / shape))
            }
            Self::Lognormal { mean, deviation } => [*mean, mean * mean + deviation * deviation],
            Self::Triangular { low, .. } | Self::Pareto { low, .. } => {
                let [mean, square] = self.excess();
                [low + mean, low * low + 2.0 * low * mean + square]
            }
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
            Self::Exponential { .. }
            | Self::Constant { .. }
            | Self::Uniform { .. }
            | Self::Erlang { .. }
            | Self::Hyperexponential { .. } => unreachable!("no table: {self}"),
        }
    }

    /// The mean and the mean square of a time minus the lower end of its law: no difference of large numbers.
    pub(super) fn excess(&self) -> [f64; 2] {
        match self {
            Self::Triangular { low, mode, high } => {
                let (mode, width) = (mode - low, high - low);
                [(mode + width) / 3.0, (mode * mode + mode * width + width * width) / 6.0]
            }
            Self::Pareto { shape, low, high } => {
                // a (1 - q^(n - a)) / ((a - n) (1 - q^-a)) with q = high / low, which is a ln q / (1 - q^-a) for a = n.
                let q = libm::log(high / low);
                let all = -libm::expm1(-shape * q);
                let [first, second] = [1.0, 2.0].map(|power| {
                    let rest = (power - shape) * q;
                    let part = if rest.abs() < 1e-8 { 1.0 } else { libm::expm1(rest) / rest };
                    shape * q * part / all
                });
                [low * (first - 1.0), low * low * (second - 2.0 * first + 1.0)]
            }
            _ => self.moments(),
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
