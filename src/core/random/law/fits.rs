//! The tables of laws, each made once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::ServiceLaw;
use super::moments::coxian;
use super::tabled::Tabled;
use super::text::Numbers;
use crate::random::phases::Phases;
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
        // What has the same name has the same table, to the bit.
        let tabled = |(law, numbers): (&Tabled, Vec<f64>)| {
            let name = format!("{}:{}", law.name, Numbers(&(law.shape)(&numbers)));
            (name, (law.low)(&numbers), (law.excess)(&numbers)[0])
        };
        let (name, low, unit) = match self {
            Self::Coxian { .. } | Self::PhaseType { .. } => (self.to_string(), 0.0, self.mean()),
            // Variates are ticks.
            Self::Discrete { values } => (self.to_string(), least(values.iter().map(|(value, _)| *value)), 1.0),
            Self::Samples { values } => (self.to_string(), least(values.iter().copied()), 1.0),
            Self::Histogram { edges, .. } => (self.to_string(), edges[0], 1.0),
            _ => tabled(self.tabled()?),
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
        if let Some((law, numbers)) = self.tabled() {
            return (law.fit)(&numbers);
        }
        let of_phases = |phases: Phases<'_>| {
            Fit::of_quantiles(&phases.quantiles(unit), self.moments()[1] / (unit * unit), f64::INFINITY)
        };
        match self {
            Self::Coxian { means, probabilities } => {
                let (first, rates) = coxian(means, probabilities);
                of_phases(Phases { first: &first, rates: &rates })
            }
            Self::PhaseType { first, rates } => of_phases(Phases { first, rates }),
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
