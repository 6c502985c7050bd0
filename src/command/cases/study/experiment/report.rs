//! The fields of `tickless experiment`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::cases::study::effects::{EffectReport, InteractionReport, SlopeReport};
use crate::cases::study::points::{
    Compared, FactorReport, Grid, GridFactor, PointReport, settings_of, texts, units_of,
};
use crate::cases::study::{Figures, pictures, text};
use crate::figures::result_fields;
use crate::page::Picture;
use crate::text::{Table, counted, escaped, short, significant};
use tickless_experiments::{Design, Experiment, ExperimentOutcome, Point, Rule, front, resolution};

result_fields! {
    /// What ran.
    pub struct ExperimentParameters(experiment: &Experiment) {
        /// `full`, `fraction`, `latin-hypercube` or `sobol`.
        design: &'static str = name(experiment.design());
        /// Of a fraction; `null` of any other design.
        resolution: Option<usize> = resolution_of(experiment);
        /// What is varied.
        factors: Vec<FactorReport> = experiment.factors().iter().map(|factor| FactorReport::from(&GridFactor::from(factor))).collect();
        /// How many there are.
        points: usize = experiment.points().len();
        /// Of each point.
        replications: u32 = experiment.replications();
        /// Whether replications of one number have the same random streams at every point.
        common_random_numbers: bool = experiment.has_common_random_numbers();
        /// The paths of what is measured.
        measures: Vec<String> = experiment.measures().iter().map(|measure| measure.name().to_owned()).collect();
        /// What each of them is counted in, in the words of the network.
        measure_units: Vec<String> = units_of(experiment.measures(), &experiment.points()[0].model);
        /// The number of the point that others are compared with, from 1 on.
        baseline: usize = experiment.baseline() + 1;
        /// The horizon.
        until: f64 = experiment.points()[0].model.until().units();
        /// When the counting begins, in time units.
        warmup: f64 = experiment.points()[0].model.warmup().units();
    }
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
    pub points: Vec<PointReport<Compared>>,
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
    #[serde(skip)]
    pub grid: Grid,
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

/// The name of a design in results.
fn name(design: Design) -> &'static str {
    match design {
        Design::Full => "full",
        Design::Fraction { .. } => "fraction",
        Design::LatinHypercube { .. } => "latin-hypercube",
        Design::Sobol { .. } => "sobol",
    }
}

/// That of a fraction.
fn resolution_of(experiment: &Experiment) -> Option<usize> {
    match experiment.design() {
        Design::Fraction { points } => resolution(experiment.factors().len(), points),
        _ => None,
    }
}

impl ExperimentParameters {
    pub fn describe(&self, table: &mut Table) {
        let resolution = self.resolution.map(|number| format!(", resolution {number}")).unwrap_or_default();
        let points = counted(self.points as u64, "point");
        let each = counted(self.replications.into(), "replication");
        let numbers = if self.common_random_numbers { ", common random numbers" } else { "" };
        table.row("design", format!("{}{resolution}: {points} with {each} each{numbers}", self.design));
        text::describe_factors(&self.factors, table);
        text::describe_measures(&self.measures, &self.measure_units, table);
        text::describe_horizon(self.until, self.warmup, table);
    }
}

impl Figures for ExperimentFigures {
    type Seen = Compared;

    fn points(&self) -> (&Grid, &[PointReport<Compared>]) {
        (&self.grid, &self.points)
    }
}

impl ExperimentFigures {
    pub fn new(experiment: &Experiment, outcome: &ExperimentOutcome) -> Self {
        let (grid, ended) = (grid_of(experiment, outcome), outcome.ended(experiment.replications()));
        let replications = outcome.points.iter().map(|point| point.digests.len() as u64).sum();
        let settings = |place: usize| texts(&experiment.points()[place].settings);
        Self {
            statistics: ExperimentStatistics { ended: ended.len(), replications },
            points: grid.compared(ended, settings),
            effects: grid.effects(),
            interactions: grid.interactions(),
            slopes: grid.slopes(),
            best: best(experiment, outcome),
            front: front_of(experiment, &grid),
            grid,
        }
    }

    /// The points by the two measures of a front.
    pub fn picture_of_front(&self, experiment: &Experiment) -> Option<Picture> {
        let (asked, found) = experiment.front().zip(self.front.as_ref())?;
        let places = asked.measures.each_ref().map(|measure| experiment.place_of(measure));
        let is_on_front = |point: &PointReport<_>| found.contains(&point.point);
        let title = |[one, other]: [&str; 2]| format!("The front of {one} and {other}");
        Some(pictures::traded((&self.grid, &self.points), places, is_on_front, title))
    }

    /// The tables of points and of effects, and the best point or the front.
    pub fn tell(&self, experiment: &Experiment, table: &mut Table) {
        text::points(&self.grid, &self.points, table);
        text::together(self.effects.as_deref(), self.interactions.as_deref(), table);
        if let Some(slopes) = &self.slopes {
            text::slopes(slopes, table);
        }
        if let Some(best) = &self.best {
            best.tell(&self.grid, table);
        }
        if let Some((front, found)) = experiment.front().zip(self.front.as_ref()) {
            let measures = front.measures.each_ref().map(|measure| measure.name()).join(" and ");
            let numbers = found.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            table.row("front", format!("of {}: points {numbers}", escaped(&measures)));
        }
    }
}

impl BestReport {
    fn tell(&self, grid: &Grid, table: &mut Table) {
        let what = if self.largest { "largest" } else { "smallest" };
        let sure = match (self.confidence, self.indifference) {
            (Some(confidence), Some(zone)) if self.found => {
                let share = significant(100.0 * confidence, 4);
                format!("with {share} % confidence, if no other is within {}", short(zone))
            }
            _ if self.found => "by the budget that was given".into(),
            _ => "so far: the search did not end".into(),
        };
        let replications = counted(self.replications, "replication");
        let settings = escaped(&settings_of(&grid.factors, &self.settings));
        table.row("best", format!("point {}: {settings}", self.point));
        table.row("", format!("the {what} {}, {sure}; {replications} in all", escaped(&self.measure)));
    }
}

/// The factors and measures, and the measured values.
fn grid_of(experiment: &Experiment, outcome: &ExperimentOutcome) -> Grid {
    let ended = outcome.ended(experiment.replications());
    let factors = experiment.factors().iter().map(GridFactor::from).collect();
    let measures = experiment.measures().iter().map(|measure| measure.name().to_owned()).collect();
    let numbers = |point: &Point| point.settings.iter().map(|level| level.number).collect::<Option<Vec<f64>>>();
    let (places, numbers) = match experiment.places() {
        Some(places) => (Some(places).filter(|places| places.len() == ended.len()), None),
        None => (None, experiment.points()[..ended.len()].iter().map(numbers).collect()),
    };
    Grid { baseline: experiment.baseline(), places, numbers, ..Grid::new(factors, measures, ended) }
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
        settings: texts(&experiment.points()[point].settings),
        confidence,
        indifference,
        replications: outcome.points.iter().map(|point| point.digests.len() as u64).sum(),
        found,
    })
}

fn front_of(experiment: &Experiment, grid: &Grid) -> Option<Vec<usize>> {
    let asked = experiment.front()?;
    let figures = |place: usize| {
        let sign = if asked.largest[place] { -1.0 } else { 1.0 };
        let of_measure = &grid.samples[experiment.place_of(&asked.measures[place])];
        of_measure.iter().map(move |sample| sign * sample.figure)
    };
    let points: Vec<[f64; 2]> = figures(0).zip(figures(1)).map(|(one, other)| [one, other]).collect();
    Some(front(&points).into_iter().map(|place| place + 1).collect())
}
