//! The table `[optimize]` of a network file.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;

use super::Settings;
use crate::asked::objective;
use crate::error::{ExperimentError, at};
use crate::factor::{Factor, Varied};
use crate::file::{MOST_REPLICATIONS, factors_in};
use tickless_queueing::fault_of_toml;

/// The most replications of all points together.
const MOST_IN_ALL: u64 = 1 << 32;
/// The most new points of a stage.
const MOST_TOGETHER: u32 = 1 << 16;

/// A network file, as far as an optimization reads it.
#[derive(Deserialize)]
struct File {
    optimize: Option<Spanned<Entry>>,
}

/// What is to be small or large, and what may be varied.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Optimize")]
pub struct Entry {
    /// What is varied, as of an experiment; a range of whole numbers has each of them, any other one `levels` or a `step`.
    #[schemars(with = "Varied")]
    factors: Option<IgnoredAny>,
    /// The measure that is to be small. It has this or `largest`.
    #[schemars(with = "Option<String>", extend("examples" = ["cost"]))]
    smallest: Option<Spanned<String>>,
    /// The measure that is to be large.
    #[schemars(with = "Option<String>", extend("examples" = ["network.throughput"]))]
    largest: Option<Spanned<String>>,
    /// Bounds of other measures.
    #[schemars(with = "Vec<LimitEntry>")]
    #[serde(default)]
    limits: Vec<Spanned<LimitEntry>>,
    /// What is measured beside.
    #[schemars(with = "Vec<String>", extend("examples" = [["station.desk.utilization"]]))]
    #[serde(default)]
    measures: Vec<Spanned<String>>,
    /// The most replications of all points together.
    #[schemars(with = "Option<u64>", extend("default" = 10000, "examples" = [5000]))]
    max_replications: Option<Spanned<u64>>,
    /// Replications that a point begins with.
    #[schemars(with = "Option<u32>", extend("default" = 10, "examples" = [20]))]
    replications: Option<Spanned<u32>>,
    /// About how many new points a stage has; more of them serve a GPU better.
    #[schemars(with = "Option<u32>", extend("default" = 32, "examples" = [64]))]
    together: Option<Spanned<u32>>,
    /// A difference that does not matter, in the unit of the measure.
    #[schemars(with = "Option<f64>", extend("default" = 0, "examples" = [0.5]))]
    indifference: Option<Spanned<f64>>,
    /// How sure the best is to be, above 0.5 and below 1.
    #[schemars(with = "Option<f64>", extend("default" = 0.95, "examples" = [0.99]))]
    confidence: Option<Spanned<f64>>,
    /// Of the draws that choose points.
    #[schemars(extend("default" = 1, "examples" = [5]))]
    search_seed: Option<u64>,
}

/// A bound of a measure.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Limit")]
pub(super) struct LimitEntry {
    /// The measure.
    #[schemars(with = "String", extend("examples" = ["station.desk.mean_waiting_time"]))]
    pub(super) measure: Spanned<String>,
    /// Its bound from above. It has this or `at_least`.
    #[schemars(with = "Option<f64>", extend("examples" = [5]))]
    pub(super) at_most: Option<Spanned<f64>>,
    /// Its bound from below.
    #[schemars(with = "Option<f64>", extend("examples" = [0.5]))]
    pub(super) at_least: Option<Spanned<f64>>,
}

/// The contents of a table, before the network is read.
pub(super) struct Table {
    pub(super) factors: Vec<Factor>,
    pub(super) objective: Spanned<String>,
    pub(super) largest: bool,
    pub(super) limits: Vec<Spanned<LimitEntry>>,
    pub(super) measures: Vec<Spanned<String>>,
    pub(super) settings: Settings,
}

/// Reads the table of a text.
///
/// # Errors
/// The first fault, with its line.
pub(super) fn read(text: &str) -> Result<Table, ExperimentError> {
    let file: File = toml::from_str(text).map_err(|error| fault_of_toml(text, &error))?;
    let Some(entry) = file.optimize else {
        let fault = "the file has no table [optimize], which says what is to be small or large and what may be varied: add one with \
                     [optimize.factors], as docs/experiments.md describes it";
        return Err(at(text, 0..0, fault));
    };
    let _ = entry.get_ref().factors;
    let factors = factors_in(text, "optimize")?.into_iter().map(|factor| {
        let (name, line) = (factor.name().to_owned(), factor.line);
        factor.with_levels().map_err(|said| super::at_line(line, format!("the factor {name}: {said}")))
    });
    let factors = factors.collect::<Result<Vec<_>, _>>()?;
    let heading = entry.span();
    let entry = entry.into_inner();
    let lacks = "[optimize] needs the measure that is to be small or large, as smallest = \"cost\"";
    let (name, largest) = objective(text, [&entry.smallest, &entry.largest], (heading.clone(), lacks))?;
    let name = name.clone();
    let known = Settings::default();
    let places = [
        ("max_replications", entry.max_replications.as_ref().map(Spanned::span)),
        ("replications", entry.replications.as_ref().map(Spanned::span)),
        ("together", entry.together.as_ref().map(Spanned::span)),
        ("indifference", entry.indifference.as_ref().map(Spanned::span)),
        ("confidence", entry.confidence.as_ref().map(Spanned::span)),
    ];
    let settings = Settings {
        max_replications: entry.max_replications.map_or(known.max_replications, Spanned::into_inner),
        replications: entry.replications.map_or(known.replications, Spanned::into_inner),
        together: entry.together.map_or(known.together, Spanned::into_inner),
        indifference: entry.indifference.map_or(known.indifference, Spanned::into_inner),
        confidence: entry.confidence.map_or(known.confidence, Spanned::into_inner),
        seed: entry.search_seed.unwrap_or(known.seed),
    };
    settings.check().map_err(|(key, said)| {
        let place = places.into_iter().find(|(name, _)| *name == key).and_then(|(_, place)| place);
        at(text, place.unwrap_or(heading), said)
    })?;
    Ok(Table { factors, objective: name, largest, limits: entry.limits, measures: entry.measures, settings })
}

impl Settings {
    /// Whether each setting is in its range; else its key, and what is allowed.
    pub(super) fn check(&self) -> Result<(), (&'static str, String)> {
        let Self { max_replications, replications, together, indifference, confidence, .. } = *self;
        if !(2..=MOST_REPLICATIONS).contains(&replications) {
            let said = format!("`replications` is {replications}; it must be from 2 to {MOST_REPLICATIONS}");
            return Err(("replications", said));
        }
        let least = u64::from(replications);
        if !(least..=MOST_IN_ALL).contains(&max_replications) {
            let said = format!(
                "`max_replications` is {max_replications}; it must be from {least}, which the first point has, to {MOST_IN_ALL}"
            );
            return Err(("max_replications", said));
        }
        if !(1..=MOST_TOGETHER).contains(&together) {
            return Err(("together", format!("`together` is {together}; it must be from 1 to {MOST_TOGETHER} points")));
        }
        if !(indifference >= 0.0 && indifference.is_finite()) {
            let said = format!(
                "`indifference` is {indifference}; it must be 0, or a difference above it in the unit of the measure"
            );
            return Err(("indifference", said));
        }
        if !(confidence > 0.5 && confidence < 1.0) {
            return Err(("confidence", format!("`confidence` is {confidence}; it must be above 0.5 and below 1")));
        }
        Ok(())
    }
}
