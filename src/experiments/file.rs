//! The table `[experiment]` of a network file.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;
use toml::de::DeTable;

use super::design::{DESIGNS, Design};
use super::error::{ExperimentError, at};
use super::factor::{Factor, Varied, factors_of};
use tickless_queueing::fault_of_toml;

/// The default for the replications of each point.
const REPLICATIONS: u32 = 20;
/// The most replications of a point.
pub(super) const MOST_REPLICATIONS: u32 = 1_000_000;
/// The most points.
pub(super) const MOST_POINTS: usize = 100_000;

/// A network file, as far as an experiment reads it.
#[derive(Deserialize)]
struct File {
    experiment: Option<Entry>,
}

/// What is varied, and what is measured.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Experiment")]
pub struct Entry {
    /// What is varied: values by the paths of keys, as `station.desk.servers = [2, 3]`. docs/experiments.md says what paths there are.
    #[schemars(with = "Varied")]
    factors: Option<IgnoredAny>,
    /// Of each point.
    #[schemars(with = "Option<u32>", extend("default" = 20, "examples" = [50]))]
    replications: Option<Spanned<u32>>,
    /// `full`: every combination; `fraction`: some of those of two values each; `latin-hypercube` or `sobol`: points that fill the space.
    #[schemars(with = "Option<String>", extend("default" = "full", "enum" = DESIGNS, "examples" = ["latin-hypercube"]))]
    design: Option<Spanned<String>>,
    /// How many points a design has that is not full. A fraction has a power of two.
    #[schemars(with = "Option<u32>", extend("examples" = [64]))]
    points: Option<Spanned<u32>>,
    /// Of the points of a Latin hypercube or a Sobol sequence.
    #[schemars(extend("default" = 1, "examples" = [5]))]
    design_seed: Option<u64>,
    /// `true`: replication r has the same random streams at every point, so that differences are not those of luck; `false`: every point
    /// has its own.
    #[schemars(extend("default" = true, "examples" = [false]))]
    common_random_numbers: Option<bool>,
    /// What is measured, as docs/experiments.md says; without it throughput, number present and system time of the network, and its cost if
    /// it has one.
    #[schemars(with = "Option<Vec<String>>", extend("examples" = [["cost", "network.throughput"]]))]
    measures: Option<Vec<Spanned<String>>>,
    /// The number of the point that others are compared with, from 1 on; without it the one that is as the file stands, or else the first.
    #[schemars(with = "Option<usize>", extend("examples" = [1]))]
    baseline: Option<Spanned<usize>>,
    /// The best point is looked for with further replications.
    select: Option<SelectEntry>,
    /// Which points no other one beats in both of two measures.
    #[schemars(with = "Option<FrontEntry>")]
    front: Option<Spanned<FrontEntry>>,
}

/// How the best point is to be found: for the smallest or the largest of a measure.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Select")]
pub(super) struct SelectEntry {
    /// The measure, where the smallest is the best. It has this or `largest`.
    #[schemars(with = "Option<String>", extend("examples" = ["cost"]))]
    pub(super) smallest: Option<Spanned<String>>,
    /// The measure, where the largest is the best.
    #[schemars(with = "Option<String>", extend("examples" = ["network.throughput"]))]
    pub(super) largest: Option<Spanned<String>>,
    /// A difference that does not matter, in the unit of the measure: the procedure KN++ of Kim and Nelson ends when the best is found with
    /// the `confidence`, provided that it is better than all others by so much; points that are clearly worse get no further replications.
    /// Of 30 systems with known means, all others worse by just the zone, the best was found in 1,944 of 2,000 runs.
    #[schemars(with = "Option<f64>", extend("examples" = [0.5]))]
    pub(super) indifference: Option<Spanned<f64>>,
    /// How sure that is to be.
    #[schemars(with = "Option<f64>", extend("default" = 0.95, "examples" = [0.99]))]
    pub(super) confidence: Option<Spanned<f64>>,
    /// In place of `indifference` so many replications of all points together, which are shared out so that the best is the most likely
    /// found (Chen's OCBA).
    #[schemars(with = "Option<u64>", extend("examples" = [2000]))]
    pub(super) budget: Option<Spanned<u64>>,
}

/// Two measures that are traded for each other.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Front")]
pub(super) struct FrontEntry {
    /// Measures that are to be small.
    #[schemars(with = "Vec<String>", extend("examples" = [["cost"]]))]
    #[serde(default)]
    pub(super) smallest: Vec<Spanned<String>>,
    /// Measures that are to be large.
    #[schemars(with = "Vec<String>", extend("examples" = [["network.throughput"]]))]
    #[serde(default)]
    pub(super) largest: Vec<Spanned<String>>,
}

/// The contents of a table, before the network is read.
pub(super) struct Table {
    pub(super) factors: Vec<Factor>,
    pub(super) replications: u32,
    pub(super) design: Design,
    pub(super) common: bool,
    pub(super) measures: Option<Vec<Spanned<String>>>,
    pub(super) baseline: Option<Spanned<usize>>,
    pub(super) select: Option<SelectEntry>,
    pub(super) front: Option<Spanned<FrontEntry>>,
}

/// Reads the table of a text.
///
/// # Errors
/// The first fault, with its line.
pub(super) fn read(text: &str) -> Result<Table, ExperimentError> {
    let file: File = toml::from_str(text).map_err(|error| fault_of_toml(text, &error))?;
    let Some(entry) = file.experiment else {
        let fault = "the file has no table [experiment], which says what is varied: add one with [experiment.factors], \
                     as docs/experiments.md describes it";
        return Err(at(text, 0..0, fault));
    };
    let factors = factors_in(text, "experiment")?;
    let _ = entry.factors;
    let replications = whole_number(text, entry.replications, "replications", 1..=MOST_REPLICATIONS)?;
    let replications = replications.unwrap_or(REPLICATIONS);
    let place = entry.points.as_ref().map(Spanned::span);
    let points = whole_number(text, entry.points, "points", 2..=MOST_POINTS as u32)?.zip(place);
    let design = Design::of(text, entry.design, points, entry.design_seed.unwrap_or(1), &factors)?;
    let common = entry.common_random_numbers.unwrap_or(true);
    let Entry { measures, baseline, select, front, .. } = entry;
    Ok(Table { factors, replications, design, common, measures, baseline, select, front })
}

/// The factors in a table of a text.
///
/// # Errors
/// The first fault, with its line.
pub(super) fn factors_in(text: &str, name: &str) -> Result<Vec<Factor>, ExperimentError> {
    let parsed = DeTable::parse(text).map_err(|error| fault_of_toml(text, &error))?;
    let table = parsed.get_ref().get(name);
    let factors = match table.and_then(|table| table.get_ref().as_table()?.get("factors")) {
        Some(factors) if factors.get_ref().is_table() => factors_of((text, parsed.get_ref()), factors)?,
        Some(other) => {
            let fault = format!(
                "`factors` must be a table of keys and their values, as [{name}.factors] with station.desk.servers = [2, 3]"
            );
            return Err(at(text, other.span(), fault));
        }
        None => vec![],
    };
    if factors.is_empty() {
        let place = table.map_or(0..0, Spanned::span);
        let fault = format!(
            "the table [{name}] varies nothing: name a key and its values in [{name}.factors], as station.desk.servers = [2, 3]"
        );
        return Err(at(text, place, fault));
    }
    Ok(factors)
}

pub(super) fn whole_number(
    text: &str,
    number: Option<Spanned<u32>>,
    key: &str,
    range: std::ops::RangeInclusive<u32>,
) -> Result<Option<u32>, ExperimentError> {
    let Some(number) = number else { return Ok(None) };
    if range.contains(number.get_ref()) {
        return Ok(Some(*number.get_ref()));
    }
    let (least, most) = (range.start(), range.end());
    let fault = format!("`{key}` is {}; it must be a whole number from {least} to {most}", number.get_ref());
    Err(at(text, number.span(), fault))
}
