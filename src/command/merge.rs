//! `tickless merge`: puts together the shards of an ensemble.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::arguments::Format;
use super::case::{self, Extent};
use super::files::{Outputs, READ};
use super::inputs::check_unchanged;
use super::interrupt::Interrupt;
use super::output::ended;
use super::report::{Report, print_as};
use super::shard::{Head, KIND, MergeFiles, Merged, Shard, Sharded, first_difference};
use super::stored::{read_archive, shortened};
use super::warning::{self, Warning};

use super::{CommandError, Ending, report_text};
use clap::Args;
use clap::builder::RangedU64ValueParser;

/// The most characters of a value that an error repeats.
const LONGEST: usize = 60;

/// The backend in a result of a merge.
pub const BACKEND: &str = "merge";

#[derive(Debug, Args)]
pub struct MergeArguments {
    /// What runs of one ensemble wrote with --shard, in any order
    #[arg(value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,
    /// How many replications there must be [default: up to the last one of the shards]
    #[arg(long, value_name = "R", value_parser = RangedU64ValueParser::<u32>::new().range(1..))]
    replications: Option<u32>,
    /// How the result is written to standard output
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    format: Format,
    #[command(flatten)]
    files: MergeFiles,
}

/// Puts together shards of a model that together have all of some replications.
pub type Merge = fn((Vec<Shard>, Instant), Range<u32>, &MergeArguments, &Interrupt) -> Result<Ending, CommandError>;

/// Puts the shards together and prints the result; `of` is what does so for a model.
pub fn run(
    arguments: &MergeArguments,
    of: impl Fn(&str) -> Option<Merge>,
    interrupt: &Interrupt,
) -> Result<Ending, CommandError> {
    let begin = Instant::now();
    let mut shards = arguments.shards.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    shards.sort_by_key(|shard| (shard.numbers.start, shard.numbers.end));
    let all = check_together(&shards, arguments.replications)?;
    let name = &shards[0].head.origin.model;
    let merge = of(name).ok_or_else(|| fault(&shards[0], format!("its model is '{name}', which has no shards")))?;
    merge((shards, begin), all, arguments, interrupt)
}

/// Reads a shard.
fn read(path: &Path) -> Result<Shard, CommandError> {
    let wrong = |fault: String| CommandError::Shard { path: path.to_owned(), fault };
    let other = |_: &str| "run it with one version".into();
    let (head, arrays): (Head, _) =
        read_archive(path, (KIND, "give a file that a run wrote with --shard"), wrong, other)?;
    let [start, end] = head.replications;
    if start >= end {
        return Err(wrong(format!("it has the replications {start}..{end}, which are none")));
    }
    Ok(Shard { path: path.to_owned(), head, numbers: start..end, arrays })
}

fn fault(shard: &Shard, fault: String) -> CommandError {
    CommandError::Shard { path: shard.path.clone(), fault }
}

/// Checks that shards in the order of their replications are of one ensemble, and that each of its replications is in one
/// shard.
fn check_together(shards: &[Shard], given: Option<u32>) -> Result<Range<u32>, CommandError> {
    let first = &shards[0];
    let ensemble = first.head.ensemble();
    for other in &shards[1..] {
        let differs = |field: &str, [one, two]: [&str; 2]| {
            let what = format!("`{field}` is {two}, and {one} in {}", first.path.display());
            Err(fault(other, format!("it is of another ensemble: {what}")))
        };
        // Runs of two versions may be of two models.
        let [one, two] = [first, other].map(|shard| &shard.head.origin);
        if two.version != one.version {
            return differs("version", [&one.version, &two.version]);
        }
        if two.model != one.model {
            return differs("model", [&one.model, &two.model]);
        }
        if let Some((field, one, two)) = first_difference("arguments", &ensemble, &other.head.ensemble()) {
            // A value may be the text of a whole network.
            return differs(&field, [&shortened(&one, LONGEST), &shortened(&two, LONGEST)]);
        }
    }
    for pair in shards.windows(2) {
        let [before, after] = [&pair[0], &pair[1]];
        if after.numbers.start < before.numbers.end {
            let both = after.numbers.start..before.numbers.end.min(after.numbers.end);
            let other = before.path.display();
            return Err(fault(after, format!("the replications {} are in {other} too: leave one out", shown(&both))));
        }
    }
    let last = shards.last().map_or(0, |shard| shard.numbers.end);
    let all = 0..given.unwrap_or(last);
    if last > all.end {
        let shard = &shards[shards.len() - 1];
        let what = shown(&shard.numbers);
        return Err(fault(shard, format!("it has the replications {what}, and --replications says {}", all.end)));
    }
    let missing = missing(shards, all.end);
    if missing.is_empty() { Ok(all) } else { Err(CommandError::MissingReplications { missing, all: all.end }) }
}

/// The replications that are in no shard, for shards in order.
fn missing(shards: &[Shard], end: u32) -> Vec<Range<u32>> {
    let starts = shards.iter().map(|shard| shard.numbers.start).chain([end]);
    let ends = [0].into_iter().chain(shards.iter().map(|shard| shard.numbers.end));
    ends.zip(starts).map(|(end, start)| end..start).filter(|gap| !gap.is_empty()).collect()
}

fn shown(numbers: &Range<u32>) -> String {
    format!("{}..{}", numbers.start, numbers.end)
}

/// Puts together the shards of a model, whose replications are all there and which have been read from a moment on.
pub fn of_model<C: Sharded>(
    (shards, begin): (Vec<Shard>, Instant),
    all: Range<u32>,
    given: &MergeArguments,
    interrupt: &Interrupt,
) -> Result<Ending, CommandError> {
    let paths: Vec<PathBuf> = shards.iter().map(|shard| shard.path.clone()).collect();
    let mut case: C = prepared(&shards[0], all)?;
    let files = case.files_of_merge(given.files.clone())?;
    let outputs = Outputs::open(&case, C::files(&files), None, None, (&paths, READ))?;
    let mut warnings = case.remarks();
    warnings.extend(Warning::of_version(&shards[0].head.origin.version));
    warning::tell(given.format, &warnings);
    let merged = Merged::of(&shards, case.horizon());
    let run = case
        .merge(shards, merged)
        .map_err(|(place, error)| CommandError::Shard { path: paths[place].clone(), fault: error.to_string() })?;
    let run = tickless_core::run::Run { setup: begin.elapsed(), ..run };
    let report = case::report(&case, (BACKEND, None), &run, Extent::Everything)?;
    let report = Report { origin: case::origin(&case), parameters: case.parameters(), run: report, warnings };
    let mut failures =
        Vec::from_iter(print_as(given.format, &report, || report_text::run(&case, &run, &report))?.err());
    interrupt.printed();
    failures.extend(outputs.write(&case, &run, &report.run.figures, &|_| Ok(())));
    ended(Ending::Done, failures)
}

/// The whole ensemble, as a shard describes it.
fn prepared<C: Sharded>(shard: &Shard, all: Range<u32>) -> Result<C, CommandError> {
    let origin = &shard.head.origin;
    let arguments = serde_path_to_error::deserialize(origin.arguments.clone());
    let arguments: C::Arguments = arguments.map_err(|error| fault(shard, format!("in `arguments`: {error}")))?;
    check_unchanged(&origin.inputs, &shard.path)?;
    let case = C::prepare(C::with_numbers(arguments, all), &C::Options::default(), &C::Files::default());
    case.map_err(|error| fault(shard, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Origin;
    use crate::version::{SCHEMA, VERSION};
    use tickless_core::archive::Arrays;

    fn shards(numbers: &[Range<u32>]) -> Vec<Shard> {
        let shard = |numbers: &Range<u32>| Shard {
            path: shown(numbers).into(),
            head: Head {
                origin: Origin {
                    schema: SCHEMA,
                    version: VERSION.into(),
                    model: "fire".into(),
                    seed: None,
                    arguments: serde_json::json!({ "until": 5 }),
                    inputs: vec![],
                },
                replications: [numbers.start, numbers.end],
                events: 0,
                completions: 0,
                wall_seconds: 0.0,
            },
            numbers: numbers.clone(),
            arrays: Arrays::default(),
        };
        numbers.iter().map(shard).collect()
    }

    #[test]
    fn what_is_missing_is_named() {
        let found = |numbers: &[Range<u32>], given| check_together(&shards(numbers), given).unwrap_err().to_string();
        let one = std::array::from_fn::<_, 1, _>(|_| 0..3);
        assert_eq!(check_together(&shards(&[0..3, 3..4, 4..9]), Some(9)).unwrap(), 0..9);
        assert_eq!(missing(&shards(&[2..3, 5..6]), 9), [0..2, 3..5, 6..9]);
        assert!(found(&[2..3, 5..6], None).starts_with("the replications 0..2 and 3..5 of 6 are in no shard"));
        assert!(found(&one, Some(4)).starts_with("the replications 3..4 of 4 are in no shard"));
        assert!(found(&one, Some(2)).contains("0..3: it has the replications 0..3, and --replications says 2"));
    }

    #[test]
    fn what_is_there_twice_is_named() {
        for (numbers, both) in [
            (vec![0..3, 0..3], "0..3: the replications 0..3 are in 0..3 too"),
            (vec![0..5, 3..4, 5..6], "3..4: the replications 3..4 are in 0..5 too"),
            (vec![0..5, 4..9], "4..9: the replications 4..5 are in 0..5 too"),
        ] {
            let said = check_together(&shards(&numbers), None).unwrap_err().to_string();
            assert!(said.starts_with(both), "{said}");
        }
    }

    #[test]
    fn another_ensemble_is_named_by_what_differs() {
        let mut two = shards(&[0..3, 3..4]);
        two[1].head.origin.arguments = serde_json::json!({ "until": 6 });
        let said = check_together(&two, None).unwrap_err().to_string();
        assert_eq!(said, "3..4: it is of another ensemble: `arguments.until` is 6, and 5 in 0..3");
        two[1].head.origin.version = "0.0.9".into();
        let said = check_together(&two, None).unwrap_err().to_string();
        assert!(said.contains("`version` is 0.0.9, and"), "{said}");
        two[1].head.origin.version = VERSION.into();
        two[1].head.origin.model = "torus".into();
        let said = check_together(&two, None).unwrap_err().to_string();
        assert!(said.ends_with("`model` is torus, and fire in 0..3"), "{said}");
    }
}
