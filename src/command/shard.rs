//! A shard: some replications of an ensemble in a file, with all that is needed to put them together with others.

use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::CommandError;
use super::case::{self, Case, RunOf};
use super::report::Origin;
use tickless_core::archive::{self, ArchiveError, Arrays};
use tickless_core::run::Run;
use tickless_core::time::Time;

/// The kind of archive.
pub const KIND: &str = "shard";

/// The files that some model makes of an ensemble.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct MergeFiles {
    /// Of a network: also write a line for each station to this CSV file
    #[arg(long, value_name = "FILE", alias = "facilities")]
    pub stations: Option<PathBuf>,
    /// Of a network that records distributions: also write a line for each bin to this CSV file
    #[arg(long, value_name = "FILE")]
    pub histograms: Option<PathBuf>,
    /// Also write a line for each class at each station to this CSV file
    #[arg(long, value_name = "FILE")]
    pub classes: Option<PathBuf>,
    /// Of a network that notes numbers over time: also write them to this CSV file
    #[arg(long, value_name = "FILE")]
    pub series: Option<PathBuf>,
    /// Of a network with a `fold`: also write its figures by the bin to this CSV file
    #[arg(long, value_name = "FILE")]
    pub folded: Option<PathBuf>,
    /// Of fires: also write the share of them that reached each cell to this grid
    #[arg(long, value_name = "FILE")]
    pub probability: Option<PathBuf>,
    /// Of fires: also draw how many of them reached each cell to this PNG file
    #[arg(long, value_name = "FILE")]
    pub picture: Option<PathBuf>,
}

/// A model whose replications may run apart.
pub trait Sharded: Case {
    /// The numbers of the replications of a run.
    fn numbers(&self, run: &RunOf<Self>) -> Range<u32>;

    /// The arguments of these replications of the same ensemble.
    fn with_numbers(arguments: Self::Arguments, numbers: Range<u32>) -> Self::Arguments;

    /// The end of a whole replication.
    fn horizon(&self) -> Time;

    /// Whether a run has all replications of its arguments.
    fn is_whole(&self, run: &RunOf<Self>) -> bool {
        run.clock >= self.horizon()
    }

    /// Ends of services, which a network counts beside its events; 0 of other models.
    fn completions(_: &RunOf<Self>) -> u64 {
        0
    }

    /// The arrays that a merge needs of a run with all its records.
    ///
    /// # Errors
    /// Too little memory.
    fn arrays(&self, run: &RunOf<Self>) -> Result<Arrays, ArchiveError>;

    /// The run of all replications of adjoining shards, in the order of their numbers.
    ///
    /// # Errors
    /// A fault, with the place of its shard.
    fn merge(&mut self, shards: Vec<Shard>, merged: Merged) -> Result<RunOf<Self>, (usize, ArchiveError)>;

    /// The files of a merge.
    ///
    /// # Errors
    /// [`CommandError::Usage`], which names an option that the model does not have.
    fn files_of_merge(&self, files: MergeFiles) -> Result<Self::Files, CommandError>;
}

/// The head of a shard, beside its arrays: the model, as in a result, and the course of the run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Head {
    #[serde(flatten)]
    pub origin: Origin<Value>,
    /// The first replication, and the one after the last.
    pub replications: [u32; 2],
    pub events: u64,
    pub completions: u64,
    pub wall_seconds: f64,
}

/// A shard that was read.
pub struct Shard {
    pub path: PathBuf,
    pub head: Head,
    pub numbers: Range<u32>,
    pub arrays: Arrays,
}

/// Writes the shard of a run.
///
/// # Errors
/// A run that Ctrl-C has ended within its replications; errors of the file.
pub fn write<C: Sharded>(case: &C, run: &RunOf<C>, out: &mut dyn Write) -> Result<(), CommandError> {
    let numbers = case.numbers(run);
    if !case.is_whole(run) {
        return Err(CommandError::NoShard { clock: run.clock.units(), until: case.horizon().units() });
    }
    let arguments = |arguments| serde_json::json!(C::with_numbers(arguments, numbers.clone()));
    let head = Head {
        origin: case::origin(case).map(arguments),
        replications: [numbers.start, numbers.end],
        events: run.events,
        completions: C::completions(run),
        wall_seconds: run.wall.as_secs_f64(),
    };
    let told = |error| match error {
        ArchiveError::Memory(error) => error.into(),
        error => CommandError::Output(io::Error::other(error)),
    };
    let bytes =
        case.arrays(run).and_then(|arrays| archive::write(KIND, &serde_json::json!(head), &arrays)).map_err(told)?;
    out.write_all(&bytes).map_err(CommandError::Output)
}

impl Head {
    /// The common part of all shards of an ensemble: the arguments without the replications and without options that change
    /// no result, and files by their contents, wherever they lie.
    pub fn ensemble(&self) -> Value {
        let mut all = self.origin.arguments.clone();
        self.without_places(&mut all);
        all
    }

    fn without_places(&self, value: &mut Value) {
        match value {
            Value::Object(fields) => {
                // The text of a network stands beside its path.
                if fields.contains_key("description") {
                    fields.remove("file");
                }
                fields.remove("replications");
                fields.remove("max_tokens");
                fields.values_mut().for_each(|value| self.without_places(value));
            }
            Value::Array(values) => values.iter_mut().for_each(|value| self.without_places(value)),
            Value::String(text) => {
                if let Some(input) = self.origin.inputs.iter().find(|input| input.path == *text) {
                    *text = format!("SHA-256 {}", input.sha256);
                }
            }
            _ => {}
        }
    }
}

/// The sums of shards, whatever the model.
#[derive(Clone, Copy, Debug, Default)]
pub struct Merged {
    pub events: u64,
    pub completions: u64,
    pub clock: Time,
    pub wall: Duration,
}

impl Merged {
    /// Of shards that are complete up to the clock.
    pub fn of(shards: &[Shard], clock: Time) -> Self {
        let heads = || shards.iter().map(|shard| &shard.head);
        Self {
            events: heads().map(|head| head.events).sum(),
            completions: heads().map(|head| head.completions).sum(),
            clock,
            wall: heads().map(|head| Duration::try_from_secs_f64(head.wall_seconds).unwrap_or_default()).sum(),
        }
    }

    /// The run with this outcome.
    pub fn run<O, D>(self, outcome: O, details: D) -> Run<O, D> {
        Run { events: self.events, wall: self.wall, ..Run::at(self.clock, outcome, details, None) }
    }
}

/// The first field in which two values differ, with both.
pub fn first_difference(path: &str, one: &Value, other: &Value) -> Option<(String, String, String)> {
    let none = Value::Null;
    match (one, other) {
        (Value::Object(left), Value::Object(right)) => left.keys().chain(right.keys()).find_map(|name| {
            let [a, b] = [left, right].map(|fields| fields.get(name).unwrap_or(&none));
            first_difference(&format!("{path}.{name}"), a, b)
        }),
        _ => (one != other).then(|| (path.to_owned(), one.to_string(), other.to_string())),
    }
}

/// Refuses files that the model does not have.
///
/// # Errors
/// [`CommandError::Usage`], which names the option.
pub fn refuse<const N: usize>(model: &str, others: [(&str, Option<PathBuf>); N]) -> Result<(), CommandError> {
    let Some((option, _)) = others.into_iter().find(|(_, path)| path.is_some()) else { return Ok(()) };
    Err(CommandError::Usage { message: format!("{option} is not for the model {model}: leave it out") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::InputFile;
    use serde_json::json;

    fn head(arguments: Value) -> Head {
        let inputs = vec![InputFile { path: "/a/fuel.asc".into(), sha256: "12ab".into() }];
        let (version, model) = ("0".into(), "fire".into());
        let origin = Origin { schema: 3, version, model, seed: None, arguments, inputs };
        Head { origin, replications: [0, 1], events: 0, completions: 0, wall_seconds: 0.0 }
    }

    #[test]
    fn what_changes_no_result_is_no_part_of_an_ensemble() {
        let one = head(json!({ "fuel": "/a/fuel.asc", "until": 5.0, "replications": 7 })).ensemble();
        assert_eq!(one, json!({ "fuel": "SHA-256 12ab", "until": 5.0 }));
        let of = |file, text, tokens| {
            head(json!({ "file": file, "description": text, "choices": { "max_tokens": tokens, "seed": 1 } }))
                .ensemble()
        };
        assert_eq!(of("a", "x", 1), of("b", "x", 2));
        let (field, left, right) = first_difference("arguments", &of("a", "x", 1), &of("a", "y", 1)).unwrap();
        assert_eq!((field.as_str(), left.as_str(), right.as_str()), ("arguments.description", "\"x\"", "\"y\""));
        assert_eq!(first_difference("", &json!({ "a": 1 }), &json!({ "a": 1, "b": 2 })).unwrap().0, ".b");
        assert_eq!(first_difference("", &json!([1, 2]), &json!([1, 2])), None);
    }
}
