//! `tickless cells`

mod arguments;
mod fire;
mod inputs;
mod kind;
mod log;
mod report;
mod rules;
pub mod text;
mod watershed;

pub use arguments::{CellsArguments, CompareCellsArguments, CompareCellsModel, ComparedArguments};
use arguments::{CellsModel, RunArguments};
pub use fire::{FireKind, FireModelArguments, Limit, Spot};
pub use inputs::{InputFile, InputPath};
pub use kind::Kind;
use report::CellsReport;
pub use report::{CellDifferenceReport, CompareCellsReport, SpaceReport};
pub use rules::{RulesKind, RulesModelArguments};
pub use watershed::{WatershedKind, WatershedModelArguments};

use std::ffi::OsString;
use std::path::Path;

use super::arguments::Format;
use super::backend::{Ready, Suits};
use super::facilities::{self, RecordsFile};
use super::interrupt::Interrupt;
use super::warning::Warning;
use super::{CommandError, Ending, json, memory, warning};
use crate::cells::CellOutcome;

/// What goes into a file once the run is over.
type Contents<'a> = Box<dyn FnOnce(&CellOutcome) -> Result<Vec<u8>, CommandError> + 'a>;

/// `tickless cells FILE.ma` and `tickless compare cells FILE.ma` are short for the model `rules` with that file.
pub fn with_rules(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let words: Vec<_> = arguments.iter().skip(1).take(3).map(|word| word.to_string_lossy().into_owned()).collect();
    let place = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["cells", model, ..] if is_file(model) => 2,
        ["compare", "cells", model] if is_file(model) => 3,
        _ => return arguments,
    };
    arguments.insert(place, "rules".into());
    arguments
}

/// What is neither a model nor an option nor a command of clap's own.
fn is_file(word: &str) -> bool {
    !word.starts_with('-') && !["fire", "watershed", "rules", "log", "help"].contains(&word)
}

/// Runs the model and prints the result.
///
/// # Errors
/// [`CommandError`].
pub fn run(arguments: &CellsArguments, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    match &arguments.model {
        CellsModel::Fire(arguments) => fire::run(arguments, interrupt),
        CellsModel::Rules(arguments) => rules::run(arguments, interrupt),
        CellsModel::Watershed(arguments) => watershed::run(arguments, interrupt),
        CellsModel::Log(arguments) => log::convert(arguments, interrupt),
    }
}

/// Runs a kind of cells, fills its files and prints the result.
///
/// # Errors
/// [`CommandError`].
fn execute<K: Kind>(
    kind: &K,
    arguments: &RunArguments,
    files: Vec<(RecordsFile, Contents<'_>)>,
    interrupt: &Interrupt,
) -> Result<Ending, CommandError> {
    let (backend, mut warnings) = Ready::choose(arguments.backend, &arguments.device, suits::<K>())?;
    warnings.extend(kind.remarks().into_iter().map(|about| Warning::Model { about }));
    check(&backend, kind)?;
    let log = arguments.log.as_ref().map(|path| RecordsFile::open("--log", path)).transpose()?;
    let inputs = kind.inputs().iter().map(|input| (Path::new(&input.path), "a file that the run reads"));
    facilities::check_apart(&files.iter().map(|(file, _)| file).chain(&log).collect::<Vec<_>>(), inputs)?;
    warning::tell(arguments.format, &warnings);
    let run = match log {
        Some(file) => log::run(kind, &backend, file, interrupt)?,
        None => backend.run_cells(kind.model(), interrupt)?,
    };
    for (file, contents) in files {
        file.write_bytes(&contents(&run.outcome)?)?;
    }
    let report = CellsReport { warnings, ..CellsReport::new(kind, &backend, &run) };
    super::print(&match arguments.format {
        Format::Text => text::cells(kind, &report),
        Format::Json => json::text(&report)?,
    })?;
    Ok(if run.interrupted { Ending::Interrupted } else { Ending::Done })
}

/// What runs this kind well.
pub fn suits<K: Kind>() -> Suits {
    if K::IN_SOFTWARE { Suits::Rounds } else { Suits::Cells }
}

/// Refuses what does not fit into memory.
///
/// # Errors
/// [`CommandError`].
pub fn check<K: Kind>(backend: &Ready, kind: &K) -> Result<(), CommandError> {
    memory::check_cells(kind.model(), backend.adapter().map(|adapter| adapter.kind), memory::available())
}
