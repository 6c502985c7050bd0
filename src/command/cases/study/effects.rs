//! The effects of factors on measures, as results have them.

use schemars::JsonSchema;
use serde::Serialize;

use super::points::{FigureReport, Grid};
use tickless_experiments::{Effect, Interaction, Sample, effects, interactions, slopes};

/// How much larger a measure is with a value of a factor than with its first one.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EffectReport {
    /// What was measured.
    pub measure: String,
    /// What was varied.
    pub factor: String,
    /// The value.
    pub level: String,
    /// The first value, which it is compared with, in the mean over the other factors.
    pub first: String,
    #[serde(flatten)]
    pub figure: FigureReport,
}

/// How much larger the effect of a value of a factor is beside a value of another one than beside its first one.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InteractionReport {
    /// What was measured.
    pub measure: String,
    /// The two that were varied.
    pub factors: [String; 2],
    /// Their values.
    pub levels: [String; 2],
    #[serde(flatten)]
    pub figure: FigureReport,
}

/// How much larger a measure is at the largest value of a factor than at its smallest, on the plane that comes closest to all points.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SlopeReport {
    /// What was measured.
    pub measure: String,
    /// What was varied.
    pub factor: String,
    #[serde(flatten)]
    pub figure: FigureReport,
    /// The share of the variance between the points that the plane of the measure explains; `null` where there is one point more than
    /// factors.
    pub explained: Option<f64>,
}

impl Grid {
    /// The effect of each value of a factor, for points of levels.
    pub fn effects(&self) -> Option<Vec<EffectReport>> {
        let places = self.places.as_ref()?;
        self.of_measures(|measure, samples| {
            let report = |Effect { factor, level, estimate }| EffectReport {
                measure: measure.into(),
                factor: self.factors[factor].name.clone(),
                level: self.level(factor, level),
                first: self.level(factor, 0),
                figure: estimate.into(),
            };
            Some(effects(places, samples).into_iter().map(report).collect())
        })
    }

    /// The interactions of two factors, for points of levels.
    pub fn interactions(&self) -> Option<Vec<InteractionReport>> {
        let places = self.places.as_ref()?;
        self.of_measures(|measure, samples| {
            let report = |Interaction { factors, levels, estimate }| InteractionReport {
                measure: measure.into(),
                factors: factors.map(|place| self.factors[place].name.clone()),
                levels: [0, 1].map(|one| self.level(factors[one], levels[one])),
                figure: estimate.into(),
            };
            Some(interactions(places, samples).into_iter().map(report).collect())
        })
    }

    /// The slope of each factor, for points that fill a space of numbers.
    pub fn slopes(&self) -> Option<Vec<SlopeReport>> {
        let numbers = self.numbers.as_ref()?;
        self.of_measures(|measure, samples| {
            let plane = slopes(numbers, samples)?;
            let report = |(factor, slope): (usize, _)| SlopeReport {
                measure: measure.into(),
                factor: self.factors[factor].name.clone(),
                figure: FigureReport::from(slope),
                explained: plane.explained,
            };
            Some(plane.slopes.into_iter().enumerate().map(report).collect())
        })
    }

    /// Results for each measure, one after the other; `None` if a measure has none.
    fn of_measures<T>(&self, of: impl Fn(&str, &[Sample]) -> Option<Vec<T>>) -> Option<Vec<T>> {
        let all = self.measures.iter().zip(&self.samples).map(|(measure, samples)| of(measure, samples));
        Some(all.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// A value of a factor as tables show it.
    fn level(&self, factor: usize, level: usize) -> String {
        self.factors[factor].levels[level].shown.clone()
    }
}
