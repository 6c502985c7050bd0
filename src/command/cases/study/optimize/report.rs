//! The fields of `tickless optimize`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::cases::study::points::{
    FactorReport, FigureReport, Grid, GridFactor, Limited, PointReport, texts, units_of,
};
use crate::cases::study::{Figures, pictures};
use crate::figures::result_fields;
use crate::page::{Drawing, Picture, bars, capital, dots};
use crate::text::path_in_words;
use tickless_experiments::front;
use tickless_experiments::optimization::{Ended, Limit, Optimization, OptimizationOutcome, Settings, StageRecord};

result_fields! {
    /// What ran.
    pub struct OptimizeParameters((optimization, grid): (&Optimization, &Grid)) {
        /// The measure that is to be small, or large.
        objective: String = grid.measures[0].clone();
        /// Whether it is to be large.
        largest: bool = optimization.is_largest();
        /// The bounds of other measures.
        limits: Vec<LimitReport> = optimization.limits().iter().map(LimitReport::from).collect();
        /// What is varied.
        factors: Vec<FactorReport> = grid.factors.iter().map(FactorReport::from).collect();
        /// How many points there are.
        points: u64 = optimization.points();
        /// The paths of what is measured: first the objective, then what has limits, then what the file names beside.
        measures: Vec<String> = grid.measures.clone();
        /// What each of them is counted in, in the words of the network.
        measure_units: Vec<String> = units_of(optimization.measures(), optimization.model());
        #[serde(flatten)]
        settings: Settings = optimization.settings();
        /// The horizon of every point.
        until: f64 = optimization.model().until().units();
        /// When the counting begins, in time units.
        warmup: f64 = optimization.model().warmup().units();
    }
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
    #[schemars(with = "Option<String>")]
    pub ended: Option<Ended>,
    /// Those that were looked at, in that order.
    pub points: Vec<PointReport<Limited>>,
    /// Where the search stood after each stage.
    pub stages: Vec<StageRecord>,
    /// Why the first of the places that make no network is none; `null` where all do.
    pub first_refusal: Option<String>,
    /// The places of the points, the best first.
    #[serde(skip)]
    pub order: Vec<usize>,
    #[serde(skip)]
    pub grid: Grid,
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

impl Figures for OptimizeFigures {
    type Seen = Limited;

    fn points(&self) -> (&Grid, &[PointReport<Limited>]) {
        (&self.grid, &self.points)
    }
}

/// What was varied and measured, and what was seen.
pub fn grid_of(optimization: &Optimization, outcome: &OptimizationOutcome) -> Grid {
    let factors = optimization.factors().iter().map(GridFactor::from).collect();
    let measures = optimization.measures().iter().map(|measure| measure.name().to_owned()).collect();
    Grid::new(factors, measures, &outcome.points)
}

impl OptimizeFigures {
    pub fn new(optimization: &Optimization, outcome: &OptimizationOutcome) -> Self {
        let grid = grid_of(optimization, outcome);
        let settings = |point: usize| texts(&optimization.levels(&outcome.places[point]));
        let seen = |point: usize, measures| Limited { within_limits: outcome.is_within(optimization, point), measures };
        let points = grid.points(&outcome.points, settings, seen);
        let best = outcome.assessment.map(|best| OptimumReport {
            point: best.point + 1,
            settings: points[best.point].settings.clone(),
            within_limits: best.is_within,
            confidence: best.confidence,
            better_by_at_most: best.better_by,
            all_neighbours: best.has_all_neighbours,
            measures: points[best.point].seen.measures.clone(),
        });
        let replications = points.iter().map(|point| point.replications as u64).sum();
        let (looked_at, refused) = (points.len(), outcome.refused.len());
        Self {
            statistics: OptimizeStatistics { looked_at, refused, replications },
            best,
            ended: outcome.ended,
            points,
            stages: outcome.stages.clone(),
            first_refusal: outcome.first_refusal.clone(),
            order: outcome.order(optimization),
            grid,
        }
    }

    /// The progress of the search, and its findings.
    pub fn pictures(&self, optimization: &Optimization) -> Vec<Picture> {
        let sign = if optimization.is_largest() { -1.0 } else { 1.0 };
        [self.progress(), self.best_points(sign), self.trade(sign, optimization)].into_iter().flatten().collect()
    }

    /// The best value so far, by the number of replications.
    fn progress(&self) -> Option<Picture> {
        let name = &path_in_words(&self.grid.measures[0]);
        let within = self.stages.iter().filter(|stage| stage.is_within);
        // A point shows its number where it becomes the best.
        let mut before = None;
        let dots_of: Vec<(String, [f64; 2])> = within
            .map(|stage| {
                let is_new = before.replace(stage.best) != Some(stage.best);
                let number = if is_new { (stage.best + 1).to_string() } else { String::new() };
                (number, [stage.replications as f64, stage.figure])
            })
            .collect();
        if dots_of.len() < 2 {
            return None;
        }
        let title = capital(&format!("{name} of the best point so far"));
        let about = format!("{title}, by the replications of all points until then, over {} stages", self.stages.len());
        Some(Picture { title, about, drawing: Drawing::Svg(dots(["replications", name], [&dots_of, &[]])) })
    }

    /// The best points within the limits.
    fn best_points(&self, sign: f64) -> Option<Picture> {
        let name = &path_in_words(&self.grid.measures[0]);
        let within = self.points.iter().filter(|point| point.seen.within_limits);
        let all = pictures::best_first(within, 0, sign);
        let about = format!("{name} of the best points within the limits: the best is point {}", all.first()?.name);
        let title = capital(&format!("{name} ({} of {} points looked at)", all.len(), self.points.len()));
        Some(Picture { title, about, drawing: Drawing::Svg(bars(name, &all)) })
    }

    /// The objective by the first measure with a limit: the front has the points that a tighter limit would choose.
    fn trade(&self, sign: f64, optimization: &Optimization) -> Option<Picture> {
        let limit = optimization.limits().first()?;
        let measure = self.grid.measures.iter().position(|measure| measure == limit.measure.name())?;
        if measure == 0 {
            return None;
        }
        let signs = [sign, if limit.is_most { 1.0 } else { -1.0 }];
        let signed = |point: &PointReport<Limited>| {
            std::array::from_fn(|one| signs[one] * point.seen.measures[[0, measure][one]].value())
        };
        let found = front(&self.points.iter().map(signed).collect::<Vec<_>>());
        let is_on_front = |point: &PointReport<Limited>| found.binary_search(&(point.point - 1)).is_ok();
        let title = |[objective, limited]: [&str; 2]| format!("What {limited} takes in {objective}");
        Some(pictures::traded((&self.grid, &self.points), [0, measure], is_on_front, title))
    }
}
