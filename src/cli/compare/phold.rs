//! `tickless compare phold`

use super::{Comparison, check_backends, warnings};
use crate::cli::arguments::{Compared, Format};
use crate::cli::backend::{Ready, Suits};
use crate::cli::interrupt::Interrupt;
use crate::cli::json::{self, RunReport, VERSION};
use crate::cli::phold::{self, ComparePholdArguments, ComparePholdReport, PholdParameters, PholdStatistics};
use crate::cli::phold::{ProcessDifferenceReport, text};
use crate::cli::{CommandError, Ending, print, warning};
use crate::processes::Outcome;

type PholdComparison = Comparison<Outcome, PholdStatistics, ProcessDifferenceReport>;

/// Runs PHOLD on every backend and prints how they compare.
///
/// # Errors
/// [`CommandError`].
pub fn run(arguments: &ComparePholdArguments, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    let model = arguments.model()?;
    check_backends(&arguments.backends, arguments.device.no_int64)?;
    // Everything that can be refused is refused before the first run.
    let suits = Suits::phold(&model);
    let open = |name: &Compared| Ready::compared(*name, &arguments.device, &suits);
    let backends = arguments.backends.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    // At least one of two is a device, which the options for rounds are for.
    let on_devices = backends.iter().filter(|backend| backend.adapter().is_some());
    on_devices.clone().try_for_each(|backend| phold::check(backend, &model, &arguments.rounds))?;
    let mut warnings = warnings(&arguments.backends, &backends);
    warnings.extend(phold::idle(&model));
    warning::tell(arguments.format, &warnings);

    let mut comparison = PholdComparison::default();
    for backend in &backends {
        let options = arguments.rounds.options();
        let run = backend.run_phold(&model, &options, interrupt)?;
        let report = RunReport::of_phold(backend, &model, &options, &run);
        comparison.add(report, run.outcome, |first, other| first.first_difference(other).map(Into::into));
        if comparison.interrupted {
            break;
        }
    }
    let ending = comparison.ending();
    let report = ComparePholdReport {
        model: "phold",
        version: VERSION,
        parameters: PholdParameters::new(&model),
        seed: model.seed(),
        equal: comparison.equal(),
        interrupted: comparison.interrupted,
        runs: comparison.runs,
        warnings,
    };
    print(&match arguments.format {
        Format::Text => text::compare_phold(&report),
        Format::Json => json::text(&report)?,
    })?;
    Ok(ending)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::processes::gpu::ProcessOptions;
    use crate::processes::{Phold, reference};
    use crate::run::unwatched;

    #[test]
    fn a_changed_value_is_named() {
        let model = Phold::new(9).population(2).until(5.0).check().unwrap();
        let run = || reference::simulate(&model, &mut unwatched()).unwrap();
        let compared = |change: fn(&mut Outcome)| {
            let mut other = run();
            change(&mut other.outcome);
            let mut comparison = PholdComparison::default();
            for run in [run(), other] {
                let report = RunReport::of_phold(&Ready::heap(), &model, &ProcessOptions::default(), &run);
                comparison.add(report, run.outcome, |first, other| first.first_difference(other).map(Into::into));
            }
            (comparison.ending(), comparison.runs.pop().unwrap().difference)
        };
        assert_eq!(compared(|_| ()), (Ending::Done, None));
        let (ending, difference) = compared(|outcome| outcome.processes[4].sent += 1);
        let text = difference.unwrap().to_string();
        assert_eq!(ending, Ending::Different);
        assert!(text.starts_with("process 4, field sent: "), "{text}");
    }
}
