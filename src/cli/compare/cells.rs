//! `tickless compare cells`

use super::{Comparison, check_backends, warnings};
use crate::cells::CellOutcome;
use crate::cli::arguments::{Compared, Format};
use crate::cli::backend::Ready;
use crate::cli::cells::{self, CellDifferenceReport, CompareCellsModel, CompareCellsReport, Kind, SpaceReport, text};
use crate::cli::cells::{CompareCellsArguments, ComparedArguments};
use crate::cli::interrupt::Interrupt;
use crate::cli::json::{self, RunReport, VERSION};
use crate::cli::warning::Warning;
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

    let mut comparison = CellComparison::<K>::default();
    for backend in &backends {
        let run = backend.run_cells(kind.model(), interrupt)?;
        let report = RunReport::of_cells(kind, backend, &run);
        comparison.add(report, run.outcome, |first, other| first.first_difference(other).map(Into::into));
        if comparison.interrupted {
            break;
        }
    }
    let ending = comparison.ending();
    let report = report(kind, comparison, warnings);
    print(&match arguments.format {
        Format::Text => text::compare_cells(kind, &report),
        Format::Json => json::text(&report)?,
    })?;
    Ok(ending)
}

type CellComparison<K> = Comparison<CellOutcome, <K as Kind>::Statistics, CellDifferenceReport>;

fn report<K: Kind>(
    kind: &K,
    comparison: CellComparison<K>,
    warnings: Vec<Warning>,
) -> CompareCellsReport<K::Parameters, K::Statistics> {
    CompareCellsReport {
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::cells::{WatershedKind, WatershedModelArguments};

    /// Rain on a few cells.
    fn kind() -> WatershedKind {
        let [rain, hours, soil, flow, step, until] = [10.0, 1.0, 0.0, 0.2, 10.0, 100.0];
        let arguments =
            WatershedModelArguments { terrain: None, side: 3, seed: 1, rain, hours, soil, flow, step, until };
        arguments.kind().unwrap()
    }

    fn compared(change: impl FnOnce(&mut CellOutcome)) -> (Ending, String) {
        let (kind, heap) = (kind(), Ready::heap());
        let run = || cells_on_the_heap(&kind);
        let mut other = run();
        change(&mut other.outcome);
        let mut comparison = CellComparison::<WatershedKind>::default();
        for run in [run(), other] {
            let report = RunReport::of_cells(&kind, &heap, &run);
            comparison.add(report, run.outcome, |first, other| first.first_difference(other).map(Into::into));
        }
        (comparison.ending(), text::compare_cells(&kind, &report(&kind, comparison, vec![])))
    }

    fn cells_on_the_heap(kind: &WatershedKind) -> crate::run::Run<CellOutcome> {
        crate::cells::reference::simulate(kind.model(), &mut crate::run::unwatched()).unwrap()
    }

    #[test]
    fn the_table_counts_transitions() {
        let (ending, text) = compared(|_| ());
        assert_eq!(ending, Ending::Done);
        let heads = text.lines().find(|line| line.trim_start().starts_with("backend")).unwrap();
        let words: Vec<&str> = heads.split_whitespace().collect();
        assert_eq!(words, ["backend", "transitions", "rounds", "set-up", "wall", "time", "transitions/s", "speed-up"]);
    }

    #[test]
    fn a_changed_value_is_named() {
        let (ending, text) = compared(|outcome| *outcome.state.last_mut().unwrap() += 1);
        assert_eq!(ending, Ending::Different);
        assert!(text.contains("DIFFERENT: heap from heap, first at replication 0, cell 17, field "), "{text}");
    }
}
