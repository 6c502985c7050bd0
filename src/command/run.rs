//! A run of any model, from its arguments to its result.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ArgMatches;

use super::arguments::{Backend, DeviceArguments, Format, RunArguments, parsed};
use super::backend::Ready;
use super::case::{self, Case, Extent, RunOf, Wanted};
use super::files::Outputs;
use super::interrupt::{Interrupt, LEFT_OUT};
use super::output::{OutputFile, complain, ended};
use super::progress::Watcher;
use super::report::{Report, RunReport, print_as};
use super::warning::{self, Warning};
use super::{CommandError, Ending, page, report_text};

/// The choice of the backend of a run, and the form of its output.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    pub backend: Backend,
    pub device: &'a DeviceArguments,
    pub format: Format,
}

/// A way to run a prepared model.
pub trait Course<C: Case>: Sized {
    /// Whether it begins at time 0. For a resumed run the options have been checked and the pilot has run already.
    fn begins(&self) -> bool {
        true
    }

    /// Refuses a model that cannot run this way.
    ///
    /// # Errors
    /// The option to leave out.
    fn check(&self, _: &C) -> Result<(), CommandError> {
        Ok(())
    }

    /// Opens its backend, and returns the warnings.
    ///
    /// # Errors
    /// Options that exclude each other; an adapter that does not open.
    fn open(&self, case: &C, given: Given<'_>) -> Result<(Ready, Vec<Warning>), CommandError> {
        Ready::choose(given.backend, given.device, case.suits())
    }

    /// The number of ranks that share the run, if there are ranks.
    fn ranks(&self) -> Option<u32> {
        None
    }

    /// The results that it needs, with or without files.
    fn wanted(&self, has_files: bool) -> Wanted {
        if has_files { Wanted::Records } else { Wanted::Figures }
    }

    /// Refuses a run that does not fit into memory.
    ///
    /// # Errors
    /// The memory that is needed.
    fn check_size(&self, case: &C, backend: &Ready, wanted: Wanted) -> Result<(), CommandError> {
        case.check_size(&backend.room(), wanted)
    }

    /// Takes over the warning of the pilot, and returns all warnings of the run since its beginning.
    fn found(&mut self, by_pilot: Option<Warning>) -> Vec<Warning> {
        by_pilot.into_iter().collect()
    }

    /// Files that the course itself reads and writes, and that no other output may overwrite.
    ///
    /// # Errors
    /// A file that cannot be written.
    fn own_files(&self, _: &C) -> Result<Vec<PathBuf>, CommandError> {
        Ok(vec![])
    }

    /// Refuses outputs that the user of this command has not named, by option and path, and tells what the run reads and writes.
    ///
    /// # Errors
    /// [`CommandError::Outside`].
    fn check_outputs(&self, _read: &[&Path], _outputs: &[(&'static str, &Path)]) -> Result<(), CommandError> {
        Ok(())
    }

    /// Runs it.
    fn execute(
        self,
        case: &mut C,
        backend: &mut Ready,
        given: Given<'_>,
        wanted: Wanted,
        log: Option<&mut OutputFile>,
        interrupt: &Interrupt,
    ) -> Result<RunOf<C>, CommandError>;
}

/// From time 0 to the horizon.
pub struct Straight;

impl<C: Case> Course<C> for Straight {
    fn execute(
        self,
        case: &mut C,
        backend: &mut Ready,
        given: Given<'_>,
        wanted: Wanted,
        log: Option<&mut OutputFile>,
        interrupt: &Interrupt,
    ) -> Result<RunOf<C>, CommandError> {
        execute(case, (backend, given.format), wanted, log, interrupt, C::check_options)
    }
}

/// Runs a model on its backend, or where that refuses a kernel on what replaces it and passes the check, from the beginning.
pub fn execute<C: Case>(
    case: &mut C,
    (backend, format): (&mut Ready, Format),
    wanted: Wanted,
    mut log: Option<&mut OutputFile>,
    interrupt: &Interrupt,
    check: impl Fn(&C, &Ready) -> Result<(), CommandError>,
) -> Result<RunOf<C>, CommandError> {
    loop {
        let run = case::execute(case, backend, wanted, log.as_deref_mut(), interrupt);
        let fits = |next: &Ready| check(case, next).and_then(|()| case.check_size(&next.room(), wanted)).is_ok();
        match run {
            Err(error) if backend.replace(&error, format, fits) => {}
            run => return run,
        }
    }
}

/// Runs the model, fills its files and prints the result.
pub fn run<C: Case>(matches: &ArgMatches, _: &[OsString], interrupt: &Interrupt) -> Result<Ending, CommandError> {
    carry_out::<C>(parsed(matches)?, Straight, interrupt)
}

/// A remark on ranks that meet more often than there are events.
fn creeps<C: Case>(ranks: Option<u32>, run: &RunOf<C>) -> Option<Warning> {
    let turns = run.rounds.filter(|turns| ranks.is_some_and(|ranks| ranks > 1) && *turns > run.events)?;
    let events = run.events;
    let about = format!(
        "{turns} turns of the ranks for {events} events: the lookahead is small beside the time between events, so one heap, without \
         --ranks, is faster"
    );
    Some(Warning::Model { about })
}

/// The same on a course.
pub fn carry_out<C: Case>(
    arguments: RunArguments<C::Arguments, C::Options, C::Files>,
    mut course: impl Course<C>,
    interrupt: &Interrupt,
) -> Result<Ending, CommandError> {
    let RunArguments { model, backend, device, options, format, report: page, files } = arguments;
    let mut case = C::prepare(model, &options, &files)?;
    case::check_threads::<C>(&device)?;
    let given = Given { backend, device: &device, format };
    course.check(&case)?;
    let ranks = course.ranks();
    let (mut backend, about_backend) = course.open(&case, given)?;
    if let Some((option, _)) = C::log(&options).filter(|_| device.threads.is_some()) {
        let message = format!("with {option} one replication comes after the other: leave --threads out");
        return Err(CommandError::Usage { message });
    }
    let begins = course.begins();
    if begins {
        case.check_options(&backend)?;
    }
    let written = C::files(&files);
    let has_files = !written.is_empty() || C::log(&options).is_some() || page.is_some();
    let wanted = course.wanted(has_files);
    course.check_size(&case, &backend, wanted)?;
    let named = written.iter().map(|file| (file.option, file.path)).chain(C::log(&options));
    let named: Vec<_> = named.chain(page.as_deref().map(|path| ("--report", path))).collect();
    course.check_outputs(&case.read_only(), &named)?;
    let own = course.own_files(&case)?;
    let taken = (&own[..], "a file of --checkpoint");
    let mut outputs = Outputs::open(&case, written, C::log(&options), page.as_deref(), taken)?;

    let mut warnings = case.remarks();
    warnings.extend(about_backend);
    warning::tell(format, &warnings);
    let found = course.found(if begins { case.pilot(&mut Watcher::pilot(interrupt))? } else { None });
    warning::tell(format, &found);
    let run = course.execute(&mut case, &mut backend, given, wanted, outputs.log(), interrupt)?;
    let afterwards: Vec<_> = case.afterwards(&run).into_iter().chain(creeps::<C>(ranks, &run)).collect();
    warning::tell(format, &afterwards);
    warnings.extend(backend.unused().iter().cloned().chain(found).chain(afterwards));

    let report = case::report(&case, (backend.name(), backend.adapter()), &run, Extent::Everything)?;
    let report = RunReport { ranks, ..report };
    let report = Report { origin: case::origin(&case), parameters: case.parameters(), run: report, warnings };
    // First the result, which may have taken hours.
    let mut failures = Vec::from_iter(print_as(format, &report, || report_text::run(&case, &run, &report))?.err());
    interrupt.printed();
    // After the run the command did not check for Ctrl-C: the result is complete, and files are left out as if it came while
    // they were written.
    let late = interrupt.came() && !run.interrupted;
    if !late {
        let page = |out: &mut dyn Write| {
            let figures = &report.run.figures;
            let mut pictures = case.pictures(&run, figures);
            pictures.extend(page::events_a_round(&run.moments, C::EVENTS));
            let command = page::command_line(std::env::args_os());
            page::write(
                page::Subject { about: C::ABOUT, events: C::EVENTS, command: &command },
                &report,
                &case.answer(figures),
                &pictures,
                out,
            )
        };
        failures.extend(outputs.write(&case, &run, &report.run.figures, &page));
    } else if has_files {
        complain("note", &LEFT_OUT);
    }
    ended(if late || run.interrupted { Ending::Interrupted } else { Ending::Done }, failures)
}
