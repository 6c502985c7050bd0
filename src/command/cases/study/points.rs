//! The points of a study as its results, files, texts and pictures have them, for any model.

use schemars::JsonSchema;
use serde::Serialize;

use tickless_core::statistics::Estimate;
use tickless_experiments::{Factor, Level, Measure, PointOutcome, Sample, contrast};
use tickless_queueing::NetworkModel;

/// The factors and measures, and the measured values of the points that have ended.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    pub factors: Vec<GridFactor>,
    /// The names of the measures.
    pub measures: Vec<String>,
    /// The place of the point to which others are compared.
    pub baseline: usize,
    /// Measure by measure, point by point.
    pub samples: Vec<Vec<Sample>>,
    /// The places of the values of each point, if all points have ended and are of levels.
    pub places: Option<Vec<Vec<usize>>>,
    /// The values of each point, if points are not of levels and all factors are numbers.
    pub numbers: Option<Vec<Vec<f64>>>,
}

/// A factor; without levels if it takes any number of a range.
#[derive(Clone, Debug, PartialEq)]
pub struct GridFactor {
    pub name: String,
    pub levels: Vec<Level>,
}

/// A factor, and the values that it takes; `null` where it takes any of a range.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FactorReport {
    /// Its path, or the option.
    pub factor: String,
    /// Its values; `null` where it takes any number of a range.
    pub levels: Option<Vec<String>>,
}

/// A point, and what was seen of it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PointReport<S> {
    /// Its number, from 1 on.
    pub point: usize,
    /// The value of each factor.
    pub settings: Vec<String>,
    /// How many have ended.
    pub replications: usize,
    #[serde(flatten)]
    pub seen: S,
    /// That of a run of the model alone with these values.
    pub digest: String,
}

/// The results of a point in a kind of study: its figures, and their comparison with the baseline or with limits.
pub trait Seen {
    /// Whether there is a baseline, or else limits.
    const HAS_BASELINE: bool;

    /// A figure for each measure.
    fn measures(&self) -> &[FigureReport];

    /// How much larger each measure is than at the baseline.
    fn differences(&self) -> Option<&[FigureReport]> {
        None
    }

    fn within_limits(&self) -> Option<bool> {
        None
    }
}

/// Beside a baseline.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Compared {
    /// A figure for each measure.
    pub measures: Vec<FigureReport>,
    /// How much larger each measure is than at the baseline; `null` of the baseline itself.
    pub differences: Option<Vec<FigureReport>>,
}

impl Seen for Compared {
    const HAS_BASELINE: bool = true;

    fn measures(&self) -> &[FigureReport] {
        &self.measures
    }

    fn differences(&self) -> Option<&[FigureReport]> {
        self.differences.as_deref()
    }
}

/// Beside limits.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Limited {
    /// Whether it was seen to be within all limits.
    pub within_limits: bool,
    /// A figure for each measure.
    pub measures: Vec<FigureReport>,
}

impl Seen for Limited {
    const HAS_BASELINE: bool = false;

    fn measures(&self) -> &[FigureReport] {
        &self.measures
    }

    fn within_limits(&self) -> Option<bool> {
        Some(self.within_limits)
    }
}

/// A figure with its 95 % interval.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct FigureReport {
    /// Its mean; `null` where no replication says anything of it.
    pub mean: Option<f64>,
    /// Half of its 95 % interval; `null` of fewer than two replications.
    pub half_width: Option<f64>,
    /// The replications that it rests on.
    pub count: u64,
}

impl FigureReport {
    /// Its mean, for an order or a place in a picture: 0 where there is none.
    pub fn value(&self) -> f64 {
        self.mean.unwrap_or(0.0)
    }
}

impl From<Estimate> for FigureReport {
    fn from(estimate: Estimate) -> Self {
        let mean = (estimate.count > 0).then_some(estimate.mean);
        Self { mean, half_width: estimate.half_width, count: estimate.count }
    }
}

impl From<&Factor> for GridFactor {
    fn from(factor: &Factor) -> Self {
        Self { name: factor.name().to_owned(), levels: factor.values().collect() }
    }
}

impl From<&GridFactor> for FactorReport {
    fn from(factor: &GridFactor) -> Self {
        let levels = (!factor.levels.is_empty()).then(|| texts(&factor.levels));
        Self { factor: factor.name.clone(), levels }
    }
}

/// Values as results have them.
pub fn texts(levels: &[Level]) -> Vec<String> {
    levels.iter().map(|level| level.shown.clone()).collect()
}

/// The settings of a point for people.
pub fn settings_of<'a>(factors: &[GridFactor], values: impl IntoIterator<Item = &'a String>) -> String {
    let one = |(factor, value): (&GridFactor, _)| format!("{} = {value}", factor.name);
    factors.iter().zip(values).map(one).collect::<Vec<_>>().join(", ")
}

/// What measures are counted in, in the words of a network.
pub fn units_of<'a>(measures: impl IntoIterator<Item = &'a Measure>, model: &NetworkModel) -> Vec<String> {
    measures.into_iter().map(|measure| measure.unit(model.words())).collect()
}

impl Grid {
    /// The grid of points that have ended.
    pub fn new(factors: Vec<GridFactor>, measures: Vec<String>, ended: &[PointOutcome]) -> Self {
        let of_measure = |measure: usize| ended.iter().map(|point| point.sample(measure)).collect();
        let samples = (0..measures.len()).map(of_measure).collect();
        Self { factors, measures, samples, ..Self::default() }
    }

    /// The report of every point.
    pub fn points<S>(
        &self,
        ended: &[PointOutcome],
        settings: impl Fn(usize) -> Vec<String>,
        seen: impl Fn(usize, Vec<FigureReport>) -> S,
    ) -> Vec<PointReport<S>> {
        let of_point = |(place, point): (usize, &PointOutcome)| PointReport {
            point: place + 1,
            settings: settings(place),
            replications: point.digests.len(),
            seen: seen(place, self.samples.iter().map(|samples| samples[place].estimate().into()).collect()),
            digest: point.digest().to_string(),
        };
        ended.iter().enumerate().map(of_point).collect()
    }

    /// The same with differences from the baseline.
    pub fn compared(
        &self,
        ended: &[PointOutcome],
        settings: impl Fn(usize) -> Vec<String>,
    ) -> Vec<PointReport<Compared>> {
        let difference = |samples: &Vec<Sample>, place: usize| {
            contrast(&[(1.0, &samples[place]), (-1.0, &samples[self.baseline])]).into()
        };
        self.points(ended, settings, |place, measures| {
            let is_compared = place != self.baseline && self.baseline < ended.len();
            let all = || self.samples.iter().map(|samples| difference(samples, place)).collect();
            Compared { measures, differences: is_compared.then(all) }
        })
    }
}
