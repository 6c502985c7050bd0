//! The fields of `tickless experiment`.

use schemars::JsonSchema;
use serde::Serialize;

use super::grid::{Grid, GridPoint};
use tickless_experiments::{
    Design, Experiment, ExperimentOutcome, Factor, Plane, Rule, Sample, contrast, effects, front, interactions,
    resolution, slopes,
};

/// What ran.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExperimentParameters {
    /// `full`, `fraction`, `latin-hypercube` or `sobol`.
    pub design: &'static str,
    /// Of a fraction; `null` of any other design.
    pub resolution: Option<usize>,
    /// What is varied.
    pub factors: Vec<FactorReport>,
    /// How many there are.
    pub points: usize,
    /// Of each point.
    pub replications: u32,
    /// Whether replications of one number have the same random streams at every point.
    pub common_random_numbers: bool,
    /// The paths of what is measured.
    pub measures: Vec<String>,
    /// The number of the point that others are compared with, from 1 on.
    pub baseline: usize,
    /// The horizon.
    pub until: f64,
    /// When the counting begins, in time units.
    pub warmup: f64,
}

/// A factor, and the values that it takes; `null` where it takes any of a range.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FactorReport {
    /// Its path, or the option.
    pub factor: String,
    /// Its values; `null` where it takes any number of a range.
    pub levels: Option<Vec<String>>,
}

/// How much has run.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ExperimentStatistics {
    /// Points that have ended.
    pub ended: usize,
    /// Of all points together.
    pub replications: u64,
}

/// What a run gave.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExperimentFigures {
    /// How much has run.
    pub statistics: ExperimentStatistics,
    /// Those that have ended.
    pub points: Vec<PointReport>,
    /// How much larger each measure is with a value of a factor than with its first one; `null` of designs without levels, and where points
    /// are missing.
    pub effects: Option<Vec<EffectReport>>,
    /// How much larger the effect of one factor is beside a value of another one than beside that one's first value; `null` likewise.
    pub interactions: Option<Vec<InteractionReport>>,
    /// What each factor does over its range, of a Latin hypercube or a Sobol sequence of numbers; `null` of other designs, where points are
    /// too few, and where a factor has the same value at all of them.
    pub slopes: Option<Vec<SlopeReport>>,
    /// The point that was looked for; `null` where none was.
    pub best: Option<BestReport>,
    /// The numbers of the points that no other one beats in both measures; `null` where none was asked for.
    pub front: Option<Vec<usize>>,
}

/// A point.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PointReport {
    /// Its number, from 1 on.
    pub point: usize,
    /// The value of each factor.
    pub settings: Vec<String>,
    /// How many have ended.
    pub replications: usize,
    /// A figure for each measure.
    pub measures: Vec<FigureReport>,
    /// How much larger each measure is than at the baseline; `null` of the baseline itself.
    pub differences: Option<Vec<FigureReport>>,
    /// That of a run of the model alone with these values.
    pub digest: String,
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

/// The point that was looked for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BestReport {
    /// What it is the best in.
    pub measure: String,
    /// Whether the largest is the best.
    pub largest: bool,
    /// Its number.
    pub point: usize,
    /// The value of each factor.
    pub settings: Vec<String>,
    /// How sure the rule is to find it; `null` of a budget, which ends when it is used up.
    pub confidence: Option<f64>,
    /// The difference that does not matter; `null` likewise.
    pub indifference: Option<f64>,
    /// Of all points together.
    pub replications: u64,
    /// Whether the rule has ended.
    pub found: bool,
}

impl From<&Factor> for FactorReport {
    fn from(factor: &Factor) -> Self {
        let levels = (factor.levels() > 0).then(|| factor.values().map(|level| level.shown).collect());
        Self { factor: factor.name().to_owned(), levels }
    }
}

impl FigureReport {
    fn of(terms: &[(f64, &Sample)]) -> Self {
        contrast(terms).into()
    }

    /// Its mean, for an order or a place in a picture: 0 where there is none.
    pub fn value(&self) -> f64 {
        self.mean.unwrap_or(0.0)
    }
}

/// As a result names a design.
fn name(design: Design) -> &'static str {
    match design {
        Design::Full => "full",
        Design::Fraction { .. } => "fraction",
        Design::LatinHypercube { .. } => "latin-hypercube",
        Design::Sobol { .. } => "sobol",
    }
}

impl ExperimentParameters {
    pub fn new(experiment: &Experiment) -> Self {
        let model = &experiment.points()[0].model;
        let resolution = match experiment.design() {
            Design::Fraction { points } => resolution(experiment.factors().len(), points),
            _ => None,
        };
        Self {
            design: name(experiment.design()),
            resolution,
            factors: experiment.factors().iter().map(FactorReport::from).collect(),
            points: experiment.points().len(),
            replications: experiment.replications(),
            common_random_numbers: experiment.has_common_random_numbers(),
            measures: experiment.measures().iter().map(|measure| measure.name().to_owned()).collect(),
            baseline: experiment.baseline() + 1,
            until: model.until().units(),
            warmup: model.warmup().units(),
        }
    }
}

impl ExperimentFigures {
    pub fn new(experiment: &Experiment, outcome: &ExperimentOutcome) -> Self {
        let grid = Grid::of(experiment, outcome);
        let replications = outcome.points.iter().map(|point| point.digests.len() as u64).sum();
        Self {
            statistics: ExperimentStatistics { ended: grid.points.len(), replications },
            points: points(&grid),
            effects: effect_reports(&grid),
            interactions: interaction_reports(&grid),
            slopes: slope_reports(&grid),
            best: best(experiment, outcome),
            front: front_of(experiment, &grid.samples),
        }
    }
}

/// What a value of each factor does, of points that are of levels.
pub fn effect_reports(grid: &Grid) -> Option<Vec<EffectReport>> {
    let places = grid.places.as_ref()?;
    let of_measure = |measure: usize| {
        effects(places, &grid.samples[measure]).into_iter().map(move |effect| EffectReport {
            measure: grid.measures[measure].clone(),
            factor: grid.factors[effect.factor].name.clone(),
            level: grid.level(effect.factor, effect.level),
            first: grid.level(effect.factor, 0),
            figure: effect.estimate.into(),
        })
    };
    Some((0..grid.measures.len()).flat_map(of_measure).collect())
}

/// How values of two factors work together, of points that are of levels.
pub fn interaction_reports(grid: &Grid) -> Option<Vec<InteractionReport>> {
    let places = grid.places.as_ref()?;
    let of_measure = |measure: usize| {
        interactions(places, &grid.samples[measure]).into_iter().map(move |both| InteractionReport {
            measure: grid.measures[measure].clone(),
            factors: both.factors.map(|place| grid.factors[place].name.clone()),
            levels: [0, 1].map(|one| grid.level(both.factors[one], both.levels[one])),
            figure: both.estimate.into(),
        })
    };
    Some((0..grid.measures.len()).flat_map(of_measure).collect())
}

/// What each factor does, of points that fill a space of numbers.
fn slope_reports(grid: &Grid) -> Option<Vec<SlopeReport>> {
    let numbers = grid.numbers.as_ref()?;
    let planes = grid.samples.iter().map(|samples| slopes(numbers, samples)).collect::<Option<Vec<_>>>()?;
    let of_plane = |(measure, plane): (usize, Plane)| {
        let explained = plane.explained;
        plane.slopes.into_iter().enumerate().map(move |(factor, slope)| SlopeReport {
            measure: grid.measures[measure].clone(),
            factor: grid.factors[factor].name.clone(),
            figure: slope.into(),
            explained,
        })
    };
    Some(planes.into_iter().enumerate().flat_map(of_plane).collect())
}

/// Every point, with its differences to the baseline.
pub fn points(grid: &Grid) -> Vec<PointReport> {
    let report = |(place, point): (usize, &GridPoint)| {
        let difference =
            |samples: &Vec<Sample>| FigureReport::of(&[(1.0, &samples[place]), (-1.0, &samples[grid.baseline])]);
        let is_compared = place != grid.baseline && grid.baseline < grid.points.len();
        PointReport {
            point: place + 1,
            settings: point.settings.clone(),
            replications: point.replications,
            measures: grid.samples.iter().map(|samples| FigureReport::of(&[(1.0, &samples[place])])).collect(),
            differences: is_compared.then(|| grid.samples.iter().map(difference).collect()),
            digest: point.digest.clone(),
        }
    };
    grid.points.iter().enumerate().map(report).collect()
}

impl Grid {
    /// A value of a factor as tables show it.
    fn level(&self, factor: usize, level: usize) -> String {
        self.factors[factor].levels[level].shown.clone()
    }
}

impl From<tickless_core::statistics::Estimate> for FigureReport {
    fn from(estimate: tickless_core::statistics::Estimate) -> Self {
        let mean = (estimate.count > 0).then_some(estimate.mean);
        Self { mean, half_width: estimate.half_width, count: estimate.count }
    }
}

fn shown(experiment: &Experiment, point: usize) -> Vec<String> {
    experiment.points()[point].settings.iter().map(|level| level.shown.clone()).collect()
}

fn best(experiment: &Experiment, outcome: &ExperimentOutcome) -> Option<BestReport> {
    let (asked, (point, found)) = experiment.best().zip(outcome.best)?;
    let (confidence, indifference) = match asked.rule {
        Rule::Indifference { zone, confidence } => (Some(confidence), Some(zone)),
        Rule::Budget { .. } => (None, None),
    };
    Some(BestReport {
        measure: asked.measure.name().to_owned(),
        largest: asked.largest,
        point: point + 1,
        settings: shown(experiment, point),
        confidence,
        indifference,
        replications: outcome.points.iter().map(|point| point.digests.len() as u64).sum(),
        found,
    })
}

fn front_of(experiment: &Experiment, samples: &[Vec<Sample>]) -> Option<Vec<usize>> {
    let asked = experiment.front()?;
    let figures = |place: usize| {
        let sign = if asked.largest[place] { -1.0 } else { 1.0 };
        let of_measure = &samples[experiment.place_of(&asked.measures[place])];
        of_measure.iter().map(move |sample| sign * sample.figure)
    };
    let points: Vec<[f64; 2]> = figures(0).zip(figures(1)).map(|(one, other)| [one, other]).collect();
    Some(front(&points).into_iter().map(|place| place + 1).collect())
}
