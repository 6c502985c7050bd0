//! `tickless compare`: one model on several backends, every bit compared.

use clap::ArgMatches;

use super::arguments::{CompareArguments, Compared, parsed};
use super::backend::{Ready, only_on_the_heap};
use super::case::{self, Case, Extent, RunOf, Wanted};
use super::files::{Outputs, READ};
use super::interrupt::Interrupt;
use super::output::ended;
use super::progress::Watcher;
use super::report::{CompareReport, ComparedRun, DifferenceReport, print_as};
use super::warning::{self, Warning};
use super::{CommandError, Ending, report_text};
use tickless_core::memory;

/// Runs the model on every backend and prints how they compare.
pub fn run<C: Case>(matches: &ArgMatches, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    let arguments: CompareArguments<C::Arguments, C::Files> = parsed(matches)?;
    let CompareArguments { model, backends: names, device, format, files } = arguments;
    let mut case = C::prepare(model, &C::Options::default(), &files)?;
    check_backends(&names, device.no_int64)?;
    case::check_threads::<C>(&device)?;
    if device.threads.is_some() && !names.contains(&Compared::Heap) {
        return Err(only_on_the_heap("--backends names devices alone"));
    }
    if device.devices.is_some() && !names.iter().any(|name| name.cuda()) {
        let message = "--devices is for GPUs of CUDA, and --backends names neither cuda nor cuda-words: leave it out";
        return Err(CommandError::Usage { message: message.into() });
    }
    // All refusals come before the first run.
    let suits = case.suits();
    let open = |name: &Compared| Ready::compared(*name, &device, &suits);
    let backends = names.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    backends.iter().try_for_each(|backend| case.check_size(&backend.room(), Wanted::Records))?;
    let outputs = Outputs::open(&case, C::files(&files), None, None, (&[], READ))?;
    let mut warnings = case.remarks();
    warnings.extend(about_backends(&names, &backends));
    warning::tell(format, &warnings);
    let found = case.pilot(&mut Watcher::pilot(interrupt))?;
    warning::tell(format, found.as_slice());
    warnings.extend(found);

    let mut comparison = Comparison::new();
    for backend in &backends {
        let run = case::execute(&mut case, backend, Wanted::Records, None, interrupt);
        comparison.take(&case, backend, run)?;
        if comparison.interrupted {
            break;
        }
    }
    let (ending, first) = (comparison.ending(), comparison.first.take());
    let report = comparison.report(&case, warnings);
    let mut failures = Vec::from_iter(print_as(format, &report, || report_text::compare(&case, &report))?.err());
    if let Some(first) = first.filter(|_| !outputs.is_empty()) {
        match memory::room_of(case.report_bytes(&first, Extent::Everything), "the lists of the report") {
            Ok(()) => {
                failures.extend(outputs.write(&case, &first, &case.figures(&first, Extent::Everything), &|_| Ok(())))
            }
            Err(error) => failures.push(error.into()),
        }
    }
    ended(ending, failures)
}

/// A backend always agrees with itself. So at least one of two uses an adapter, and no option of the device goes
/// unused.
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

fn about_backends(names: &[Compared], backends: &[Ready]) -> Vec<Warning> {
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

/// The runs so far, and the first run, with which the others are compared.
struct Comparison<C: Case> {
    first: Option<RunOf<C>>,
    runs: Vec<ComparedRun<C::Figures>>,
    interrupted: bool,
}

impl<C: Case> Comparison<C> {
    fn new() -> Self {
        Self { first: None, runs: vec![], interrupted: false }
    }

    /// Adds a run, or the reason why there is none. A run interrupted in its set-up loses nothing of those before it.
    fn take(&mut self, case: &C, backend: &Ready, run: Result<RunOf<C>, CommandError>) -> Result<(), CommandError> {
        match run {
            Err(CommandError::Run(error)) if error.is_interrupted() && !self.runs.is_empty() => {
                self.interrupted = true;
                Ok(())
            }
            run => self.add(case, backend, run?),
        }
    }

    fn add(&mut self, case: &C, backend: &Ready, run: RunOf<C>) -> Result<(), CommandError> {
        self.interrupted |= run.interrupted;
        let report = case::report(case, (backend.name(), backend.adapter()), &run, Extent::Summary)?;
        let base = self.runs.first().map_or(report.events_per_second, |first| first.run.events_per_second);
        let speed_up = (base > 0.0).then(|| report.events_per_second / base);
        // An interrupted run cannot be compared.
        let first = self.first.as_ref().filter(|_| !self.interrupted);
        let difference = first.and_then(|first| case.difference(&first.outcome, &run.outcome));
        let difference = difference.map(|difference| DifferenceReport::new(difference, |id| case.name_of(id)));
        self.runs.push(ComparedRun { run: report, speed_up, difference });
        self.first.get_or_insert(run);
        Ok(())
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

    fn report(self, case: &C, warnings: Vec<Warning>) -> CompareReport<C::Arguments, C::Parameters, C::Figures> {
        let (equal, interrupted) = (self.equal(), self.interrupted);
        let (origin, parameters) = (case::origin(case), case.parameters());
        CompareReport { origin, parameters, runs: self.runs, equal, interrupted, warnings }
    }
}

#[cfg(test)]
mod tests;
