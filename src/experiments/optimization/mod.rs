//! Optimizations: the values of some keys of a network file for which a measure is smallest, or largest, within limits of other
//! measures.
//!
//! The points are a grid, a number of values a factor; of its many points only those looked at become networks. A [search](run()) goes in
//! stages. Each stage looks at new points, first the neighbours of the best so far, then others near the best few, then any; and it gives
//! further replications to earlier points, to those that are the hardest to distinguish from the best ([`super::constrained_allocation`]). It
//! ends when no neighbour of the best is left to look at, no better point has come for some stages and the confidence is enough, or when its
//! replications are used up. The neighbourhoods are those of COMPASS (Hong and Nelson 2006, Discrete Optimization via Simulation Using
//! COMPASS); the confidence is the approximate probability of a correct selection of Chen (1996, A Lower Bound for the Correct Subset-Selection
//! Probability and Its Application to Discrete-Event Simulation).

mod assessment;
mod checkpoint;
mod file;
mod outcome;
mod search;
mod space;

use schemars::JsonSchema;
use serde::Serialize;
use toml::Spanned;

pub use assessment::Assessment;
#[doc(hidden)]
pub use file::Entry;
pub use outcome::{Ended, OptimizationOutcome, StageRecord};
pub use search::run;
#[doc(hidden)]
pub use search::run_from;

use super::error::{ExperimentError, at as fault, at_line};
use super::factor::{Factor, Level};
use super::measure::Measure;
use super::study::{Overrides, Point, Study, point_of};
use file::{LimitEntry, Table};
use space::Space;
use tickless_queueing::{Network, NetworkModel};

/// A checked optimization.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::optimization::Optimization;
/// let text = "
///     station = [{ name = 'desk', service = 'exponential:2', cost = { server = 4 } }]
///     source = [{ name = 'in', interval = 'exponential:1', to = 'desk' }]
///     sink = [{ name = 'out' }]
///     route = [{ from = 'desk', to = 'out' }]
///     [optimize]
///     smallest = 'cost'
///     limits = [{ measure = 'station.desk.mean_waiting_time', at_most = 0.5 }]
///     factors.station.desk.servers = { from = 1, to = 20 }
/// ";
/// let optimization = Optimization::from_toml(text)?;
/// assert_eq!((optimization.points(), optimization.limits()[0].bound), (20, 0.5));
/// # Ok::<(), tickless::experiments::ExperimentError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Optimization {
    text: String,
    overrides: Overrides,
    /// The study, without points: a search has the points that it looks at.
    study: Study,
    largest: bool,
    limits: Vec<Limit>,
    space: Space,
    /// The first point of a search: the values of the file, and the middle value of a factor where the file's value is not among its
    /// values.
    start: Vec<usize>,
    /// The network of that point.
    model: NetworkModel,
    /// The largest network of that point, of the first values and of the last values.
    largest_model: NetworkModel,
    settings: Settings,
}

/// The settings of a search.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::optimization::Settings;
/// let settings = Settings::default();
/// assert_eq!((settings.max_replications, settings.replications, settings.together), (10_000, 10, 32));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Settings {
    /// The most replications of all points together.
    pub max_replications: u64,
    /// Those that a point begins with, 2 or more.
    pub replications: u32,
    /// About how many new points a stage has.
    pub together: u32,
    /// A difference that does not matter, in the unit of the objective.
    pub indifference: f64,
    /// How sure the best is to be, above 0.5 and below 1.
    pub confidence: f64,
    /// Of the draws that choose points.
    #[serde(rename = "search_seed")]
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { max_replications: 10_000, replications: 10, together: 32, indifference: 0.0, confidence: 0.95, seed: 1 }
    }
}

/// A bound of a measure, within which the best point must be.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::{Measure, optimization::Limit};
/// let limit = Limit { measure: Measure::parse("cost")?, bound: 3.0, is_most: true };
/// assert_eq!((limit.beyond(4.0), limit.beyond(1.0)), (1.0, -2.0));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// The measure.
    pub measure: Measure,
    /// The bound, in the unit of the measure.
    pub bound: f64,
    /// Whether the bound is an upper one; else a lower one.
    pub is_most: bool,
}

impl Limit {
    /// How far a value is beyond the bound; below 0 within it.
    pub fn beyond(&self, value: f64) -> f64 {
        self.sign() * (value - self.bound)
    }

    fn sign(&self) -> f64 {
        if self.is_most { 1.0 } else { -1.0 }
    }
}

impl Optimization {
    /// Reads a network file with a table `[optimize]`, and checks the first and the last values of its factors. `docs/experiments.md`
    /// describes the table.
    ///
    /// # Errors
    /// [`ExperimentError`], with the line.
    pub fn from_toml(text: &str) -> Result<Self, ExperimentError> {
        Self::with(text, &Overrides::default())
    }

    /// The same, where options override keys of every network.
    ///
    /// # Errors
    /// As [`Optimization::from_toml`].
    pub fn with(text: &str, overrides: &Overrides) -> Result<Self, ExperimentError> {
        let Table { factors, objective, largest, limits, measures, settings } = file::read(text)?;
        Network::from_toml(text)?;
        let space = Space::new(factors.iter().map(Factor::levels).collect());
        overrides.check(&factors)?;
        let place = |(factor, middle): (&Factor, usize)| factor.place_in(text).unwrap_or(middle);
        let start: Vec<usize> = factors.iter().zip(space.middle()).map(place).collect();
        let at =
            |place: &[usize]| point_of(text, &factors, levels(&factors, place), 1, overrides).map(|(point, _)| point);
        let point = at(&start)?;
        // The first or the last values of all factors may exclude each other.
        let others: Vec<Point> = [space.first(), space.last()].iter().filter_map(|end| at(end).ok()).collect();
        let read = |name: &Spanned<String>| Measure::read(text, name, &point.model);
        let mut all = vec![read(&objective)?];
        let limits = limits.iter().map(|entry| limit(text, entry, &point.model)).collect::<Result<Vec<_>, _>>()?;
        let further = measures.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        for measure in limits.iter().map(|limit| limit.measure.clone()).chain(further) {
            if !all.contains(&measure) {
                all.push(measure);
            }
        }
        let study = Study { factors, measures: all, points: vec![], common: true };
        for other in &others {
            study.check_measures(1, other)?;
        }
        let models = [&point].into_iter().chain(&others).map(|point| &point.model);
        let largest_model =
            models.max_by_key(|model| (model.stations(), model.tokens())).unwrap_or(&point.model).clone();
        let (text, model) = (text.to_owned(), point.model);
        Ok(Self { text, overrides: *overrides, study, largest, limits, space, start, model, largest_model, settings })
    }

    /// With other settings.
    ///
    /// # Errors
    /// The key in the file of the setting that is out of its range.
    pub fn with_settings(self, settings: Settings) -> Result<Self, String> {
        settings.check().map_err(|(_, said)| said)?;
        Ok(Self { settings, ..self })
    }

    /// The settings of the search.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// The varied keys, in the order of the file. Each has levels.
    pub fn factors(&self) -> &[Factor] {
        &self.study.factors
    }

    /// The measures: first the objective, then measures with limits, then the others that the file names.
    pub fn measures(&self) -> &[Measure] {
        &self.study.measures
    }

    /// Whether the largest value of the first measure is the best.
    pub fn is_largest(&self) -> bool {
        self.largest
    }

    /// The limits.
    pub fn limits(&self) -> &[Limit] {
        &self.limits
    }

    /// The number of points: the product of the levels, at most 2^64 - 1.
    pub fn points(&self) -> u64 {
        self.space.points()
    }

    /// The network of the first point that is looked at.
    pub fn model(&self) -> &NetworkModel {
        &self.model
    }

    /// The largest of the networks that were made when the file was read.
    pub fn largest_model(&self) -> &NetworkModel {
        &self.largest_model
    }

    /// The values of the factors at a place, a level a factor.
    ///
    /// # Panics
    /// Where a factor has fewer levels.
    pub fn levels(&self, place: &[usize]) -> Vec<Level> {
        levels(&self.study.factors, place)
    }

    /// The factor of the first measure after which less is better.
    fn sign(&self) -> f64 {
        if self.largest { -1.0 } else { 1.0 }
    }

    /// The network of a place, with its number among those looked at.
    fn point(&self, place: &[usize], number: usize) -> Result<Point, ExperimentError> {
        let (point, _) = point_of(&self.text, &self.study.factors, self.levels(place), number, &self.overrides)?;
        self.study.check_measures(number, &point)?;
        Ok(point)
    }
}

fn levels(factors: &[Factor], place: &[usize]) -> Vec<Level> {
    factors.iter().zip(place).map(|(factor, level)| factor.value(*level)).collect()
}

fn limit(text: &str, entry: &Spanned<LimitEntry>, model: &NetworkModel) -> Result<Limit, ExperimentError> {
    let LimitEntry { measure, at_most, at_least } = entry.get_ref();
    let (bound, is_most) = match (at_most, at_least) {
        (Some(bound), None) => (bound, true),
        (None, Some(bound)) => (bound, false),
        _ => {
            let said = "a limit has either `at_most` or `at_least`, as { measure = \"network.mean_waiting_time\", at_most = 5 }";
            return Err(fault(text, entry.span(), said));
        }
    };
    if !bound.get_ref().is_finite() {
        return Err(fault(text, bound.span(), format!("{} is no bound; it must be a number", bound.get_ref())));
    }
    Ok(Limit { measure: Measure::read(text, measure, model)?, bound: *bound.get_ref(), is_most })
}
