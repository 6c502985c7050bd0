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
    let parsed = DeTable::parse(text).map_err(|error| fault_of_toml(text, &error))?;
    let whole = parsed.get_ref().get("experiment").and_then(|table| table.get_ref().as_table());
    let factors = match whole.and_then(|table| table.get("factors")) {
        Some(table) if table.get_ref().is_table() => factors_of((text, parsed.get_ref()), table)?,
        Some(other) => return Err(at(text, other.span(), NO_TABLE)),
        None => vec![],
    };
    let _ = entry.factors;
    if factors.is_empty() {
        let place = parsed.get_ref().get("experiment").map_or(0..0, Spanned::span);
        return Err(at(
            text,
            place,
            "the experiment varies nothing: name a key and its values in [experiment.factors], as station.desk.servers = [2, 3]",
        ));
    }
    let replications = whole_number(text, entry.replications, "replications", 1..=MOST_REPLICATIONS)?;
    let replications = replications.unwrap_or(REPLICATIONS);
    let place = entry.points.as_ref().map(Spanned::span);
    let points = whole_number(text, entry.points, "points", 2..=MOST_POINTS as u32)?.zip(place);
    let design = Design::of(text, entry.design, points, entry.design_seed.unwrap_or(1), &factors)?;
    let common = entry.common_random_numbers.unwrap_or(true);
    let Entry { measures, baseline, select, front, .. } = entry;
    Ok(Table { factors, replications, design, common, measures, baseline, select, front })
}

const NO_TABLE: &str = "`factors` must be a table of keys and their values, as [experiment.factors] with \
                        station.desk.servers = [2, 3]";

fn whole_number(
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
