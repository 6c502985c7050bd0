//! The tables of laws, each made once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::ServiceLaw;
use super::moments::coxian;
use crate::number::Written;
use crate::random::phases::Phases;
use crate::random::quantiles;
use crate::random::table::{Fit, Table};

/// Tables that are kept although no law uses them: 32 MiB, or 64 where each takes two draws.
const KEPT: usize = 1024;

/// A table, and how its variates become times.
pub(super) struct Fitted {
    pub(super) fit: Fit,
    /// The shortest time, in time units.
    pub(super) low: f64,
    /// The time that a variate of 1 adds, in time units.
    pub(super) unit: f64,
}

impl Fitted {
    /// The shortest time that is drawn, or nearly so, in time units.
    pub(super) fn shortest(&self) -> f64 {
        self.low + self.fit.least * self.unit
    }
}

impl ServiceLaw {
    /// The table of a law with valid parameters, where it is drawn by a table.
    pub(super) fn fitted(&self) -> Option<Fitted> {
        // Laws of the same name have the same table, to the bit.
        let (name, low, unit) = match self {
            Self::Exponential { .. }
            | Self::Constant { .. }
            | Self::Uniform { .. }
            | Self::Erlang { .. }
            | Self::Hyperexponential { .. } => return None,
            Self::Gamma { shape, mean } => (format!("gamma:{}", Written(*shape)), 0.0, *mean),
            Self::Weibull { shape, .. } => (format!("weibull:{}", Written(*shape)), 0.0, self.mean()),
            Self::Lognormal { mean, deviation } => (format!("lognormal:{}", Written(deviation / mean)), 0.0, *mean),
            Self::Triangular { low, .. } | Self::Pareto { low, .. } => (self.to_string(), *low, self.excess()[0]),
            Self::Coxian { .. } | Self::PhaseType { .. } => (self.to_string(), 0.0, self.mean()),
            // Variates are ticks.
            Self::Discrete { values } => (self.to_string(), least(values.iter().map(|(value, _)| *value)), 1.0),
            Self::Samples { values } => (self.to_string(), least(values.iter().copied()), 1.0),
            Self::Histogram { edges, .. } => (self.to_string(), edges[0], 1.0),
        };
        static FITS: Mutex<Option<HashMap<String, Fit>>> = Mutex::new(None);
        let mut fits = FITS.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = fits.get_or_insert_default();
        if fits.len() >= KEPT && !fits.contains_key(&name) {
            fits.retain(|_, fit| Arc::strong_count(&fit.table) > 1);
        }
        let fit = fits.entry(name).or_insert_with(|| self.fit(low, unit)).clone();
        Some(Fitted { fit, low, unit })
    }

    fn fit(&self, low: f64, unit: f64) -> Fit {
        let endless = f64::INFINITY;
        let square = || self.excess()[1] / (unit * unit);
        match self {
            Self::Gamma { shape, .. } => {
                Fit::of_quantiles(&|tail| quantiles::gamma(*shape, tail), 1.0 + 1.0 / shape, endless)
            }
            Self::Weibull { shape, .. } => {
                let [mean, square] = [1.0, 2.0].map(|power| libm::tgamma(1.0 + power / shape));
                let quantile = |tail| quantiles::weibull(*shape, tail) / mean;
                Fit::of_quantiles(&quantile, square / (mean * mean), endless)
            }
            Self::Lognormal { mean, deviation } => {
                let ratio = deviation / mean;
                let variance = libm::log1p(ratio * ratio);
                let quantile = |tail| libm::exp(variance.sqrt() * quantiles::normal(tail) - variance / 2.0);
                Fit::of_quantiles(&quantile, 1.0 + ratio * ratio, endless)
            }
            Self::Triangular { mode, high, .. } => {
                let width = high - low;
                let quantile = |tail| quantiles::triangular((mode - low) / width, tail) * width / unit;
                Fit::of_quantiles(&quantile, square(), width / unit)
            }
            Self::Pareto { shape, high, .. } => {
                let quantile = |tail| quantiles::pareto(*shape, high / low, tail) * low / unit;
                Fit::of_quantiles(&quantile, square(), (high - low) / unit)
            }
            Self::Coxian { means, probabilities } => {
                let (first, rates) = coxian(means, probabilities);
                Fit::of_quantiles(&Phases { first: &first, rates: &rates }.quantiles(unit), square(), endless)
            }
            Self::PhaseType { first, rates } => {
                Fit::of_quantiles(&Phases { first, rates }.quantiles(unit), square(), endless)
            }
            _ => Fit { table: Table::of_steps(&self.steps(low)).into(), least: 0.0, errors: [0.0; 2] },
        }
    }

    /// Values and widths in ticks, and weights, in rising order, each value once.
    fn steps(&self, low: f64) -> Vec<(u64, u64, f64)> {
        let ticks = |value: f64| super::effective::ticks(value) - super::effective::ticks(low);
        let mut steps: Vec<(u64, u64, f64)> = match self {
            Self::Discrete { values } => values.iter().map(|&(value, weight)| (ticks(value), 0, weight)).collect(),
            Self::Samples { values } => values.iter().map(|value| (ticks(*value), 0, 1.0)).collect(),
            Self::Histogram { edges, weights } => {
                let part = |(ends, weight): (&[f64], &f64)| {
                    let [first, last] = [ends[0], ends[1]].map(ticks);
                    (first, last - first, *weight)
                };
                edges.windows(2).zip(weights.iter()).map(part).collect()
            }
            _ => vec![],
        };
        steps.retain(|(.., weight)| *weight > 0.0);
        steps.sort_by_key(|(value, ..)| *value);
        steps.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            if same {
                kept.2 += next.2;
            }
            same
        });
        steps
    }
}

fn least(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::INFINITY, f64::min)
}
