//! The fields of `tickless optimize`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::cases::experiment::report::{FactorReport, FigureReport};
use tickless_experiments::optimization::{Ended, Limit, Optimization, OptimizationOutcome, StageRecord};

/// What ran.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OptimizeParameters {
    /// The measure that is to be small, or large.
    pub objective: String,
    /// Whether it is to be large.
    pub largest: bool,
    /// The bounds of other measures.
    pub limits: Vec<LimitReport>,
    /// What is varied.
    pub factors: Vec<FactorReport>,
    /// How many points there are.
    pub points: u64,
    /// The paths of what is measured: first the objective, then what has limits, then what the file names beside.
    pub measures: Vec<String>,
    /// The most replications of all points together.
    pub max_replications: u64,
    /// Those that a point begins with.
    pub replications: u32,
    /// About how many new points a stage has.
    pub together: u32,
    /// A difference that does not matter, in the unit of the objective.
    pub indifference: f64,
    /// How sure the best is to be.
    pub confidence: f64,
    /// Of the draws that choose points.
    pub search_seed: u64,
    /// The horizon of every point.
    pub until: f64,
    /// When the counting begins, in time units.
    pub warmup: f64,
}

/// A bound: one of the two is `null`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LimitReport {
    /// What is limited.
    pub measure: String,
    /// The bound from above; one of the two is `null`.
    pub at_most: Option<f64>,
    /// The bound from below.
    pub at_least: Option<f64>,
}

/// How much has run.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct OptimizeStatistics {
    /// Points that were looked at.
    pub looked_at: usize,
    /// Places whose values together make no network.
    pub refused: usize,
    /// Of all points together.
    pub replications: u64,
}

/// What a run gave.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OptimizeFigures {
    /// How much has run.
    pub statistics: OptimizeStatistics,
    /// The best point; `null` where an interruption came before the first one had ended.
    pub best: Option<OptimumReport>,
    /// `sure` or `max_replications`; `null` where it was interrupted.
    pub ended: Option<&'static str>,
    /// Those that were looked at, in that order.
    pub points: Vec<LookedAtReport>,
    /// Where the search stood after each stage.
    pub stages: Vec<StageReport>,
    /// Why the first of the places that make no network is none; `null` where all do.
    pub first_refusal: Option<String>,
    /// The places of the points, the best first.
    #[serde(skip)]
    pub order: Vec<usize>,
}

/// The best point.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OptimumReport {
    /// Its number, from 1 on in the order in which points were looked at.
    pub point: usize,
    /// The value of each factor.
    pub settings: Vec<String>,
    /// Whether it was seen to be within all limits.
    pub within_limits: bool,
    /// The probability that of all that were looked at none within the limits is better by more than the indifference, and this one is
    /// within them.
    pub confidence: f64,
    /// By how much another one may be better at the most, with the confidence that was asked for; `null` where no margin is enough, as the
    /// point is not sure to be within the limits, or too little was seen of another one.
    pub better_by_at_most: Option<f64>,
    /// Whether all points that are one value away in one factor were looked at.
    pub all_neighbours: bool,
    /// A figure for each measure.
    pub measures: Vec<FigureReport>,
}

/// A point that was looked at.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LookedAtReport {
    /// Its number, from 1 on.
    pub point: usize,
    /// The value of each factor.
    pub settings: Vec<String>,
    /// How many it has had.
    pub replications: usize,
    /// Whether it was seen to be within all limits.
    pub within_limits: bool,
    /// A figure for each measure.
    pub measures: Vec<FigureReport>,
    /// That of `tickless network` with these values.
    pub digest: String,
}

/// Where the search stood after a stage.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct StageReport {
    /// Points that were looked at until then.
    pub points: u64,
    /// Of all of them together.
    pub replications: u64,
    /// The number of the best of them.
    pub best: usize,
    /// Whether that was within the limits.
    pub within_limits: bool,
    /// What the first measure was there.
    pub objective: f64,
}

impl From<&Limit> for LimitReport {
    fn from(limit: &Limit) -> Self {
        let bound = |is_asked: bool| is_asked.then_some(limit.bound);
        Self {
            measure: limit.measure.name().to_owned(),
            at_most: bound(limit.is_most),
            at_least: bound(!limit.is_most),
        }
    }
}

impl OptimizeParameters {
    pub fn new(optimization: &Optimization) -> Self {
        let (settings, model) = (optimization.settings(), optimization.model());
        Self {
            objective: optimization.measures()[0].name().to_owned(),
            largest: optimization.is_largest(),
            limits: optimization.limits().iter().map(LimitReport::from).collect(),
            factors: optimization.factors().iter().map(FactorReport::from).collect(),
            points: optimization.points(),
            measures: optimization.measures().iter().map(|measure| measure.name().to_owned()).collect(),
            max_replications: settings.max_replications,
            replications: settings.replications,
            together: settings.together,
            indifference: settings.indifference,
            confidence: settings.confidence,
            search_seed: settings.seed,
            until: model.until().units(),
            warmup: model.warmup().units(),
        }
    }
}

impl OptimizeFigures {
    pub fn new(optimization: &Optimization, outcome: &OptimizationOutcome) -> Self {
        let points: Vec<_> = (0..outcome.points.len()).map(|point| looked_at(optimization, outcome, point)).collect();
        let best = outcome.assessment.map(|best| OptimumReport {
            point: best.point + 1,
            settings: points[best.point].settings.clone(),
            within_limits: best.is_within,
            confidence: best.confidence,
            better_by_at_most: best.better_by,
            all_neighbours: best.has_all_neighbours,
            measures: points[best.point].measures.clone(),
        });
        let replications = points.iter().map(|point| point.replications as u64).sum();
        let ended = outcome.ended.map(|ended| match ended {
            Ended::Sure => "sure",
            Ended::MaxReplications => "max_replications",
        });
        let statistics = OptimizeStatistics { looked_at: points.len(), refused: outcome.refused.len(), replications };
        let stages = outcome.stages.iter().map(StageReport::from).collect();
        let order = outcome.order(optimization);
        Self { statistics, best, ended, points, stages, first_refusal: outcome.first_refusal.clone(), order }
    }
}

impl From<&StageRecord> for StageReport {
    fn from(stage: &StageRecord) -> Self {
        Self {
            points: stage.points,
            replications: stage.replications,
            best: stage.best + 1,
            within_limits: stage.is_within,
            objective: stage.figure,
        }
    }
}

fn looked_at(optimization: &Optimization, outcome: &OptimizationOutcome, point: usize) -> LookedAtReport {
    let of_point = &outcome.points[point];
    let figure = |measure: usize| FigureReport::from(of_point.sample(measure).estimate());
    let has_run = !of_point.digests.is_empty();
    let measures: Vec<FigureReport> = (0..optimization.measures().len()).filter(|_| has_run).map(figure).collect();
    LookedAtReport {
        point: point + 1,
        settings: optimization.levels(&outcome.places[point]).into_iter().map(|level| level.shown).collect(),
        replications: of_point.digests.len(),
        within_limits: outcome.is_within(optimization, point),
        measures,
        digest: of_point.digest().to_string(),
    }
}
