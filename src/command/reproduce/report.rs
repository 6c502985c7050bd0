//! The JSON of a reproduction.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::Paper;
use super::exhibit::{Claim, Exhibit, Verdict};
use super::lab::Lab;
use crate::version::{SCHEMA, VERSION};
use crate::warning::{self, Told, Warning};
use tickless_device::AdapterDescription;

/// The result of `tickless reproduce`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Reproduction {
    /// The version of these fields. A field is renamed, or means something else, only with another one; fields may be added to one.
    #[schemars(extend("const" = SCHEMA))]
    pub schema: u32,
    /// The version of tickless.
    pub version: &'static str,
    /// Which one: its word on the command line.
    pub paper: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its authors, journal and year.
    pub citation: &'static str,
    /// Whether sizes were small.
    pub quick: bool,
    /// What ran: `heap`, `wgpu` or `cuda`.
    pub backend: &'static str,
    /// What it ran on, as in `tickless devices`; `null` on the heap.
    pub adapter: Option<AdapterDescription>,
    /// Of everything, set-up included.
    pub wall_seconds: f64,
    /// The tables and figures of the paper.
    pub exhibits: Vec<ExhibitReport>,
    /// How many claims hold.
    pub holds: usize,
    /// How many differ.
    pub differs: usize,
    /// How many are open.
    pub open: usize,
    #[serde(flatten)]
    pub ends: Ends,
    /// Remarks, and which points are missing, and why.
    #[serde(serialize_with = "warning::with_messages")]
    #[schemars(with = "Vec<Told<'static>>")]
    pub warnings: Vec<Warning>,
}

/// What ended it ahead of its end, if anything did.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Ends {
    /// Whether Ctrl-C ended it.
    pub interrupted: bool,
    /// The error that ended it behind the exhibits that are listed, with exit code 2; `null` where none did.
    pub error: Option<String>,
}

impl Ends {
    /// The message about the ending.
    pub fn said(&self) -> Option<String> {
        let error = self.error.as_ref().map(|error| format!("an error ended it: {error}"));
        let why = error.or_else(|| self.interrupted.then(|| "interrupted".into()))?;
        Some(format!("{why}; what comes behind is missing"))
    }
}

/// A table or a figure. One that is left out has the reason and nothing more.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExhibitReport {
    /// Its number in the paper, as in `figure 14`.
    pub number: &'static str,
    /// What it shows.
    pub shows: &'static str,
    /// How ours was made.
    pub ours: String,
    /// What the text of the paper gives of theirs.
    pub theirs: &'static str,
    /// What its places are.
    pub axis: &'static str,
    /// The unit of its values.
    pub unit: &'static str,
    #[serde(skip)]
    pub logarithmic: bool,
    /// Its curves or columns; none of one that is left out.
    pub series: Vec<SeriesReport>,
    /// What the paper says of it.
    pub claims: Vec<ClaimReport>,
    /// Why it is not repeated; `null` where it is.
    pub left_out: Option<&'static str>,
}

/// Values over the places of the axis.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SeriesReport {
    /// What it is called.
    pub name: String,
    /// At each place.
    pub values: Vec<ValueReport>,
}

/// Ours and theirs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ValueReport {
    /// The place.
    pub at: String,
    /// Our value; `null` where there is none, as of the next two.
    pub ours: Option<f64>,
    /// Half of the 95 % interval of ours.
    pub half_width: Option<f64>,
    /// The value of the paper.
    pub theirs: Option<f64>,
}

/// What this run says of a sentence of the paper.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ClaimReport {
    /// A sentence of the paper.
    pub claim: &'static str,
    /// What the numbers of this run say of it.
    pub verdict: Verdict,
    /// Why it does not hold; `null` where it does.
    pub why: Option<&'static str>,
}

impl Reproduction {
    pub fn new(
        paper: &dyn Paper,
        lab: &Lab<'_>,
        done: &[Exhibit],
        wall: Duration,
        ends: Ends,
        warnings: Vec<Warning>,
    ) -> Self {
        let within = lab.circumstances();
        let judged = |exhibit: &Exhibit, claim: &Claim| {
            let (verdict, why) = claim.judge(exhibit, within);
            ClaimReport { claim: claim.says, verdict, why }
        };
        let exhibit = |exhibit: &Exhibit| ExhibitReport {
            number: exhibit.number,
            shows: exhibit.shows,
            ours: exhibit.ours.clone(),
            theirs: exhibit.theirs,
            axis: exhibit.axis,
            unit: exhibit.unit,
            logarithmic: exhibit.logarithmic,
            series: series(exhibit),
            claims: exhibit.claims.iter().map(|claim| judged(exhibit, claim)).collect(),
            left_out: exhibit.left_out,
        };
        let exhibits: Vec<ExhibitReport> = done.iter().map(exhibit).collect();
        let count = |verdict| exhibits.iter().flat_map(|e| &e.claims).filter(|claim| claim.verdict == verdict).count();
        let [holds, differs, open] = [Verdict::Holds, Verdict::Differs, Verdict::Open].map(count);
        Self {
            schema: SCHEMA,
            version: VERSION,
            paper: paper.name(),
            title: paper.title(),
            citation: paper.citation(),
            quick: within.quick,
            backend: lab.ready().name(),
            adapter: lab.ready().adapter().cloned(),
            wall_seconds: wall.as_secs_f64(),
            exhibits,
            holds,
            differs,
            open,
            ends,
            warnings,
        }
    }
}

fn series(exhibit: &Exhibit) -> Vec<SeriesReport> {
    let values = |series: &super::exhibit::Series| {
        let all = exhibit.places.iter().zip(&series.values);
        let value = |(at, value): (&String, &super::exhibit::Value)| ValueReport {
            at: at.clone(),
            ours: value.ours.filter(|ours| ours.is_finite()),
            half_width: value.half_width,
            theirs: value.theirs,
        };
        all.map(value).collect()
    };
    exhibit.series.iter().map(|series| SeriesReport { name: series.name.clone(), values: values(series) }).collect()
}

impl ExhibitReport {
    /// `Table 1: what it shows`
    pub fn title(&self) -> String {
        let mut letters = self.number.chars();
        let first = letters.next().map(char::to_uppercase);
        let number: String = first.into_iter().flatten().chain(letters).collect();
        format!("{number}: {}", self.shows)
    }

    /// The places of the axis.
    pub fn places(&self) -> Vec<&str> {
        let values = self.series.first().map_or(&[][..], |series| &series.values);
        values.iter().map(|value| value.at.as_str()).collect()
    }

    /// The headings of a table's columns: each series, and beside it the paper's values if there are any.
    pub fn heads(&self) -> Vec<String> {
        let heads = |series: &SeriesReport| {
            let paper = series.has_theirs().then(|| format!("{}, paper", series.name));
            [series.has_ours().then(|| series.name.clone()), paper].into_iter().flatten().collect::<Vec<_>>()
        };
        self.series.iter().flat_map(heads).collect()
    }

    /// The columns at a place: values, and halves of their intervals.
    pub fn row(&self, place: usize) -> Vec<(Option<f64>, Option<f64>)> {
        let cells = |series: &SeriesReport| {
            let value = &series.values[place];
            let theirs = series.has_theirs().then_some((value.theirs, None));
            [series.has_ours().then_some((value.ours, value.half_width)), theirs]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
        };
        self.series.iter().flat_map(cells).collect()
    }
}

impl SeriesReport {
    /// Whether there is a column of ours: it has no value if no device has run it.
    fn has_ours(&self) -> bool {
        !self.has_theirs() || self.values.iter().any(|value| value.ours.is_some())
    }

    fn has_theirs(&self) -> bool {
        self.values.iter().any(|value| value.theirs.is_some())
    }
}
