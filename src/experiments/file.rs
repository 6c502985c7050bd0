//! The table `[experiment]` of a network file.

use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;
use toml::de::DeTable;

use super::design::Design;
use super::error::{ExperimentError, at};
use super::factor::{Factor, factors_of};
use crate::queueing::fault_of_toml;

/// Replications of each point where the file says nothing.
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    factors: Option<IgnoredAny>,
    replications: Option<Spanned<u32>>,
    design: Option<Spanned<String>>,
    points: Option<Spanned<u32>>,
    design_seed: Option<u64>,
    common_random_numbers: Option<bool>,
    measures: Option<Vec<Spanned<String>>>,
    baseline: Option<Spanned<usize>>,
    select: Option<SelectEntry>,
    front: Option<Spanned<FrontEntry>>,
}

/// How the best point is to be found.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SelectEntry {
    pub(super) smallest: Option<Spanned<String>>,
    pub(super) largest: Option<Spanned<String>>,
    pub(super) indifference: Option<Spanned<f64>>,
    pub(super) confidence: Option<Spanned<f64>>,
    pub(super) budget: Option<Spanned<u64>>,
}

/// Two measures that are traded for each other.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FrontEntry {
    #[serde(default)]
    pub(super) smallest: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) largest: Vec<Spanned<String>>,
}

/// What a table says, before the network has been looked at.
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

/// What is varied below a table of a text.
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
