//! A run of any model, from its arguments to its result.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use clap::ArgMatches;

use super::arguments::{Backend, DeviceArguments, Format, RunArguments, parsed};
use super::backend::Ready;
use super::case::{self, Case, Extent, RunOf, Wanted};
use super::files::Outputs;
use super::interrupt::{Interrupt, LEFT_OUT};
use super::output::{OutputFile, complain, ended};
use super::report::{Report, RunReport, print_as};
use super::warning::{self, Warning};
use super::{CommandError, Ending, page, report_text};

/// What chooses the backend of a run, and how the run is told of.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    pub backend: Backend,
    pub device: &'a DeviceArguments,
    pub format: Format,
}

/// How a prepared model is run.
pub trait Course<C: Case>: Sized {
    /// Whether it begins at time 0. What goes on has its options checked, and what a pilot finds, already.
    fn begins(&self) -> bool {
        true
    }

    /// Refuses a model that does not go so.
    ///
    /// # Errors
    /// Which option to leave out.
    fn check(&self, _: &C) -> Result<(), CommandError> {
        Ok(())
    }

    /// Opens what it runs on, and says what there is to say of that.
    ///
    /// # Errors
    /// Options that do not go together; an adapter that does not open.
    fn open(&self, case: &C, given: Given<'_>) -> Result<(Ready, Vec<Warning>), CommandError> {
        Ready::choose(given.backend, given.device, case.suits())
    }

    /// How many ranks share the run, where it goes over some.
    fn ranks(&self) -> Option<u32> {
        None
    }

    /// What it needs, where files are made of the run or not.
    fn wanted(&self, has_files: bool) -> Wanted {
        if has_files { Wanted::Records } else { Wanted::Figures }
    }

    /// Refuses what does not fit into memory.
    ///
    /// # Errors
    /// How much is needed.
    fn check_size(&self, case: &C, backend: &Ready, wanted: Wanted) -> Result<(), CommandError> {
        case.check_size(&backend.room(), wanted)
    }

    /// Takes in what the pilot says, and gives all that there is to say of the run from its beginning on.
    fn found(&mut self, by_pilot: Option<Warning>) -> Vec<Warning> {
        by_pilot.into_iter().collect()
    }

    /// Files that the course itself reads and writes, and that nothing else is written into.
    ///
    /// # Errors
    /// One that cannot be written.
    fn own_files(&self, _: &C) -> Result<Vec<PathBuf>, CommandError> {
        Ok(vec![])
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
    let own = course.own_files(&case)?;
    let taken = (&own[..], "a file of --checkpoint");
    let mut outputs = Outputs::open(&case, written, C::log(&options), page.as_deref(), taken)?;

    let mut warnings = case.remarks();
    warnings.extend(about_backend);
    warning::tell(format, &warnings);
    let found = course.found(if begins { case.pilot(interrupt)? } else { None });
    warning::tell(format, &found);
    let run = course.execute(&mut case, &mut backend, given, wanted, outputs.log(), interrupt)?;
    let afterwards = case.afterwards(&run);
    warning::tell(format, afterwards.as_slice());
    warnings.extend(backend.unused().iter().cloned().chain(found).chain(afterwards));

    let report = case::report(&case, (backend.name(), backend.adapter()), &run, Extent::Everything)?;
    let report = RunReport { ranks, ..report };
    let report = Report { origin: case::origin(&case), parameters: case.parameters(), run: report, warnings };
    // First the result, which may have taken hours.
    let mut failures = Vec::from_iter(print_as(format, &report, || report_text::run(&case, &run, &report))?.err());
    interrupt.printed();
    // Behind the run nobody has asked: the result is whole, and files are left out as where it comes while they are written.
    let late = interrupt.came() && !run.interrupted;
    if !late {
        let page = |out: &mut dyn Write| {
            let figures = &report.run.figures;
            let mut pictures = case.pictures(&run, figures);
            pictures.extend(page::events_a_round(&run.moments, C::EVENTS));
            page::write(
                page::Subject { about: C::ABOUT, events: C::EVENTS },
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
