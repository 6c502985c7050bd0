//! The JSON of a reproduction.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::Paper;
use super::exhibit::{Circumstances, Claim, Exhibit, SeriesReport, Verdict};
use super::lab::Lab;
use crate::figures::result_fields;
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

result_fields! {
    /// A table or a figure. One that is left out has the reason and nothing more.
    pub struct ExhibitReport((of, within): (&Exhibit, Circumstances)) {
        /// Its number in the paper, as in `figure 14`.
        number: &'static str = of.number;
        /// What it shows.
        shows: &'static str = of.shows;
        /// How ours was made.
        ours: String = of.ours.clone();
        /// What the text of the paper gives of theirs.
        theirs: &'static str = of.theirs;
        /// What its places are.
        axis: &'static str = of.axis;
        /// The unit of its values.
        unit: &'static str = of.unit;
        #[serde(skip)]
        logarithmic: bool = of.logarithmic;
        /// Its curves or columns; none of one that is left out.
        series: Vec<SeriesReport> = finite(of.series.clone());
        /// What the paper says of it.
        claims: Vec<ClaimReport> = of.claims.iter().map(|claim| ClaimReport::new((claim, of, within))).collect();
        /// Why it is not repeated; `null` where it is.
        left_out: Option<&'static str> = of.left_out;
    }
}

result_fields! {
    /// What this run says of a sentence of the paper.
    pub struct ClaimReport((of, exhibit, within): (&Claim, &Exhibit, Circumstances)) {
        /// A sentence of the paper.
        claim: &'static str = of.says;
        /// What the numbers of this run say of it.
        verdict: Verdict = of.judge(exhibit, within).0;
        /// Why it does not hold; `null` where it does.
        why: Option<&'static str> = of.judge(exhibit, within).1;
    }
}

impl Reproduction {
    pub fn new(
        paper: Paper,
        lab: &Lab<'_>,
        done: &[Exhibit],
        wall: Duration,
        ends: Ends,
        warnings: Vec<Warning>,
    ) -> Self {
        let within = lab.circumstances();
        let exhibits: Vec<_> = done.iter().map(|exhibit| ExhibitReport::new((exhibit, within))).collect();
        let count = |verdict| exhibits.iter().flat_map(|e| &e.claims).filter(|claim| claim.verdict == verdict).count();
        let [holds, differs, open] = [Verdict::Holds, Verdict::Differs, Verdict::Open].map(count);
        Self {
            schema: SCHEMA,
            version: VERSION,
            paper: paper.name,
            title: paper.title,
            citation: paper.citation,
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

/// Without what is no number.
fn finite(mut all: Vec<SeriesReport>) -> Vec<SeriesReport> {
    for value in all.iter_mut().flat_map(|series| &mut series.values) {
        value.ours = value.ours.filter(|ours| ours.is_finite());
    }
    all
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
