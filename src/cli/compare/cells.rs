//! `tickless compare cells`

use super::{Comparison, check_backends, warnings};
use crate::cells::CellOutcome;
use crate::cli::arguments::{Compared, Format};
use crate::cli::backend::Ready;
use crate::cli::cells::{self, CellDifferenceReport, CompareCellsModel, CompareCellsReport, Kind, SpaceReport, text};
use crate::cli::cells::{CompareCellsArguments, ComparedArguments};
use crate::cli::interrupt::Interrupt;
use crate::cli::json::{self, RunReport, VERSION};
use crate::cli::{CommandError, Ending, print, warning};

/// Runs cells on every backend and prints how they compare.
///
/// # Errors
/// [`CommandError`].
pub fn run(arguments: &CompareCellsArguments, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    match &arguments.model {
        CompareCellsModel::Fire(arguments) => compare(&arguments.kind()?, &arguments.compared, interrupt),
        CompareCellsModel::Rules(arguments) => compare(&arguments.kind()?, &arguments.compared, interrupt),
        CompareCellsModel::Watershed(arguments) => compare(&arguments.kind()?, &arguments.compared, interrupt),
    }
}

fn compare<K: Kind>(kind: &K, arguments: &ComparedArguments, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    check_backends(&arguments.backends, arguments.device.no_int64)?;
    // Everything that can be refused is refused before the first run.
    let suits = cells::suits::<K>();
    let open = |name: &Compared| Ready::compared(*name, &arguments.device, &suits);
    let backends = arguments.backends.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    backends.iter().try_for_each(|backend| cells::check(backend, kind))?;
    let warnings = warnings(&arguments.backends, &backends);
    warning::tell(arguments.format, &warnings);

    let mut comparison = Comparison::<CellOutcome, K::Statistics, CellDifferenceReport>::default();
    for backend in &backends {
        let run = backend.run_cells(kind.model(), interrupt)?;
        let report = RunReport::of_cells(kind, backend, &run);
        comparison.add(report, run.outcome, |first, other| first.first_difference(other).map(Into::into));
        if comparison.interrupted {
            break;
        }
    }
    let ending = comparison.ending();
    let report = CompareCellsReport {
        model: "cells",
        kind: K::NAME,
        version: VERSION,
        space: SpaceReport::new(kind.model()),
        parameters: kind.parameters(),
        seed: kind.seed(),
        equal: comparison.equal(),
        interrupted: comparison.interrupted,
        runs: comparison.runs,
        warnings,
    };
    print(&match arguments.format {
        Format::Text => text::compare_cells(kind, &report),
        Format::Json => json::text(&report)?,
    })?;
    Ok(ending)
}
