//! `tickless compare`: one model on several backends, every bit compared.

mod cells;
mod network;
mod phold;

use super::arguments::{CompareModel, CompareTorusArguments, Compared, Format};
use super::backend::{Ready, Suits};
use super::facilities::{self, RecordsFile};
use super::interrupt::Interrupt;
use super::json::{self, CompareReport, ComparedRun, DifferenceReport, ModelReport, RunReport};
use super::warning::{self, Warning};
use super::{CommandError, Ending, shift, text};
use crate::queueing::TorusModel;
use crate::statistics::{NetworkStatistics, Outcome};

/// Runs the model on every backend and prints how they compare.
///
/// # Errors
/// [`CommandError`].
pub fn run(model: &CompareModel, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    match model {
        CompareModel::Torus(arguments) => torus(arguments, interrupt),
        CompareModel::Network(arguments) => network::run(arguments, interrupt),
        CompareModel::Phold(arguments) => phold::run(arguments, interrupt),
        CompareModel::Cells(arguments) => cells::run(arguments, interrupt),
    }
}

fn torus(arguments: &CompareTorusArguments, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    let model = arguments.model.torus().check()?;
    check_backends(&arguments.backends, arguments.device.no_int64)?;
    // Everything that can be refused is refused before the first run.
    let suits = Suits::torus(&model);
    let open = |name: &Compared| Ready::compared(*name, &arguments.device, &suits);
    let backends = arguments.backends.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    backends.iter().try_for_each(|backend| backend.check_size(&model))?;
    let output = &arguments.output;
    let file = output.facilities.as_deref().map(|path| RecordsFile::open("--facilities", path)).transpose()?;
    facilities::check_apart(&file.iter().collect::<Vec<_>>(), [])?;
    let about_backends = warnings(&arguments.backends, &backends);
    warning::tell(output.format, &about_backends);

    let mut comparison = TorusComparison::default();
    for backend in &backends {
        let run = backend.run(&model, interrupt)?;
        let report = RunReport::new(backend, &run);
        comparison.add(report, run.outcome, |first, other| difference(&model, first, other));
        if comparison.interrupted {
            break;
        }
    }
    if let (Some(file), Some(first)) = (file, &comparison.first) {
        file.write(&model, first)?;
    }
    let warnings = shift::warning(&model).into_iter().chain(about_backends).collect();
    let ending = comparison.ending();
    let report = report(comparison, &model, warnings);
    super::print(&match output.format {
        Format::Text => text::compare(&report),
        Format::Json => json::text(&report)?,
    })?;
    Ok(ending)
}

/// A backend beside itself would agree whatever it does. So at least one of two uses an adapter, and no option of the
/// device goes unused.
fn check_backends(names: &[Compared], no_int64: bool) -> Result<(), CommandError> {
    let fail = |message: String| Err(CommandError::Usage { message });
    let device = |name: Compared| (name != Compared::Heap).then(|| name.cuda());
    let same = |a, b| a == b || (no_int64 && device(a).is_some() && device(a) == device(b));
    for (place, name) in names.iter().enumerate() {
        if let Some(other) = names[..place].iter().find(|other| same(**other, *name)) {
            let why = if other == name { "" } else { " under --no-int64" };
            return fail(format!(
                "--backends names {} and {}, which are the same{why}: name different ones",
                other.name(),
                name.name()
            ));
        }
    }
    if names.len() < 2 {
        return fail(
            "--backends needs two or more of heap, wgpu, wgpu-words, cuda and cuda-words, as in --backends heap,wgpu"
                .into(),
        );
    }
    Ok(())
}

fn warnings(names: &[Compared], backends: &[Ready]) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = backends.iter().flat_map(Ready::warnings).collect();
    warnings.dedup();
    let int64 = |name| {
        let place = names.iter().position(|n| *n == name)?;
        backends[place].adapter()
    };
    if let (Some(native), Some(_)) = (int64(Compared::Wgpu), int64(Compared::WgpuWords))
        && !native.capabilities.int64
    {
        warnings.push(Warning::SameKernels { adapter: native.name.clone() });
    }
    warnings
}

/// The runs so far, and the outcome that the others are held against.
struct Comparison<O, S, D> {
    first: Option<O>,
    runs: Vec<ComparedRun<S, D>>,
    interrupted: bool,
}

impl<O, S, D> Default for Comparison<O, S, D> {
    fn default() -> Self {
        Self { first: None, runs: vec![], interrupted: false }
    }
}

impl<O, S, D> Comparison<O, S, D> {
    /// Adds a run; `difference` is called where there is a whole one to hold it against.
    fn add(&mut self, run: RunReport<S>, outcome: O, difference: impl FnOnce(&O, &O) -> Option<D>) {
        self.interrupted |= run.interrupted;
        let base = self.runs.first().map_or(run.completions_per_second, |first| first.run.completions_per_second);
        let speed_up = (base > 0.0).then(|| run.completions_per_second / base);
        let difference = match &self.first {
            // A part of a run says nothing.
            Some(first) if !self.interrupted => difference(first, &outcome),
            _ => None,
        };
        self.runs.push(ComparedRun { run, speed_up, difference });
        self.first.get_or_insert(outcome);
    }

    fn equal(&self) -> Option<bool> {
        let different = self.runs.iter().any(|compared| compared.difference.is_some());
        if different { Some(false) } else { (!self.interrupted).then_some(true) }
    }

    fn ending(&self) -> Ending {
        match (self.equal(), self.interrupted) {
            (Some(false), _) => Ending::Different,
            (_, true) => Ending::Interrupted,
            _ => Ending::Done,
        }
    }
}

type TorusComparison = Comparison<Outcome, NetworkStatistics, DifferenceReport>;

fn report(comparison: TorusComparison, model: &TorusModel, warnings: Vec<Warning>) -> CompareReport {
    let (equal, interrupted) = (comparison.equal(), comparison.interrupted);
    CompareReport { model: ModelReport::new(model), equal, interrupted, runs: comparison.runs, warnings }
}

/// The first facility and field that differ.
fn difference(model: &TorusModel, first: &Outcome, other: &Outcome) -> Option<DifferenceReport> {
    let difference = first.first_difference(other)?;
    let width = model.width() as usize;
    let facility = difference.place.entity.map_or(model.facilities() as usize, |(_, id)| id);
    Some(DifferenceReport {
        facility,
        row: facility / width,
        column: facility % width,
        field: difference.field,
        expected: difference.left,
        found: difference.right,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queueing::{NetworkDetails, Torus, reference};
    use crate::run::{Run, unwatched};

    fn run_of(model: &TorusModel) -> Run<Outcome, NetworkDetails> {
        reference::simulate(model, &mut unwatched()).unwrap()
    }

    fn comparison(model: &TorusModel, runs: impl IntoIterator<Item = Run<Outcome, NetworkDetails>>) -> TorusComparison {
        let backend = Ready::heap();
        let mut comparison = TorusComparison::default();
        for run in runs {
            comparison.add(RunReport::new(&backend, &run), run.outcome, |first, other| difference(model, first, other));
        }
        comparison
    }

    #[test]
    fn a_changed_value_is_named_and_ends_with_different() {
        let model = Torus::new(5, 3).check().unwrap();
        let mut doctored = run_of(&model);
        doctored.outcome.facilities[7].waiting += 1;
        let expected = run_of(&model).outcome.facilities[7].waiting;
        let comparison = comparison(&model, [run_of(&model), doctored]);
        assert_eq!(comparison.ending(), Ending::Different);
        let report = report(comparison, &model, vec![]);
        let difference =
            DifferenceReport { facility: 7, row: 1, column: 2, field: "waiting".into(), expected, found: expected + 1 };
        assert_eq!((report.equal, report.runs[1].difference.as_ref()), (Some(false), Some(&difference)));
        assert_ne!(report.runs[0].run.digest, report.runs[1].run.digest);
        let text = text::compare(&report);
        assert!(text.contains("facility 7 (row 1, column 2), field waiting"), "{text}");
    }

    #[test]
    fn equal_runs_are_equal() {
        let model = Torus::new(5, 3).check().unwrap();
        let comparison = comparison(&model, [run_of(&model), run_of(&model)]);
        assert_eq!((comparison.equal(), comparison.ending()), (Some(true), Ending::Done));
    }

    #[test]
    fn an_interrupted_run_is_not_compared() {
        let model = Torus::new(5, 3).check().unwrap();
        let part = Run { interrupted: true, ..run_of(&Torus::new(5, 3).until(50.0).check().unwrap()) };
        let comparison = comparison(&model, [run_of(&model), part]);
        assert_eq!((comparison.equal(), comparison.ending()), (None, Ending::Interrupted));
    }

    #[test]
    fn a_backend_is_not_compared_with_itself() {
        use Compared::{Cuda, CudaWords, Heap, Wgpu, WgpuWords};
        assert!(check_backends(&[Heap, Wgpu, WgpuWords, Cuda, CudaWords], false).is_ok());
        assert!(check_backends(&[Heap, Wgpu, Cuda], true).is_ok());
        for (names, no_int64) in [
            (vec![], false),
            (vec![Heap], false),
            (vec![Heap, Heap], false),
            (vec![Wgpu, WgpuWords], true),
            (vec![Cuda, CudaWords], true),
        ] {
            assert!(check_backends(&names, no_int64).is_err(), "{names:?}");
        }
    }
}
