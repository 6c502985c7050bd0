//! `tickless paths`, which makes a CSV file of the paths that `tickless search` wrote with `--paths`.

use std::path::PathBuf;

use clap::Args;

use super::conversion::Conversion;
use super::interrupt::Interrupt;
use super::{CommandError, Ending};
use tickless_core::reading;
use tickless_pathfinding::{PathFileError, PathReader, PathStep};

#[derive(Debug, Args)]
pub struct PathsArguments {
    /// What tickless search wrote with --paths
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The CSV file to write, instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Makes a CSV file of paths: a line for each cell.
pub fn convert(arguments: &PathsArguments, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    let path = &arguments.file;
    let failed = |source: PathFileError| CommandError::Paths { path: path.clone(), source };
    let input = reading::open(path, Some("name what tickless search wrote with --paths"));
    let reader = PathReader::new(input.map_err(|error| failed(error.into()))?).map_err(failed)?;
    let output = arguments.output.as_deref();
    Conversion { path, output, file: "the paths", line: "cell", interrupt }.run(
        &["search", "step", "column", "row"],
        reader,
        &mut |csv, PathStep { search, step, cell }: PathStep| {
            csv.write_record([search, step.into(), cell.column.into(), cell.row.into()].map(|n: u64| n.to_string()))
        },
        failed,
    )
}
