//! A run of any model, from its arguments to its result.

use clap::ArgMatches;

use super::arguments::{Format, RunArguments, parsed};
use super::backend::Ready;
use super::case::{self, Case, Extent, Wanted};
use super::files::Outputs;
use super::interrupt::{Interrupt, LEFT_OUT};
use super::output::{complain, ended, print};
use super::report::{self, Report};
use super::{CommandError, Ending, report_text, warning};

/// Runs the model, fills its files and prints the result.
///
/// # Errors
/// [`CommandError`].
pub fn run<C: Case>(matches: &ArgMatches, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    let arguments: RunArguments<C::Arguments, C::Options, C::Files> = parsed(matches)?;
    let RunArguments { model, backend, device, options, format, files } = arguments;
    let mut case = C::prepare(model, &options, &files)?;
    case::check_threads::<C>(&device)?;
    let (backend, about_backend) = Ready::choose(backend, &device, case.suits())?;
    if let Some((option, _)) = C::log(&options).filter(|_| device.threads.is_some()) {
        let message = format!("with {option} one replication comes after the other: leave --threads out");
        return Err(CommandError::Usage { message });
    }
    case.check_options(&backend)?;
    let written = C::files(&files);
    let has_files = !written.is_empty() || C::log(&options).is_some();
    let wanted = if has_files { Wanted::Records } else { Wanted::Figures };
    case.check_size(&backend, wanted)?;
    let mut outputs = Outputs::open(&case, written, C::log(&options), &[])?;

    let mut warnings = case.remarks();
    warnings.extend(about_backend);
    warning::tell(format, &warnings);
    let found = case.pilot(interrupt)?;
    warning::tell(format, found.as_slice());
    let run = case::execute(&mut case, &backend, wanted, outputs.log(), interrupt)?;
    let afterwards = case.afterwards(&run);
    warning::tell(format, afterwards.as_slice());
    warnings.extend(found.into_iter().chain(afterwards));

    let report = case::report(&case, (backend.name(), backend.adapter()), &run, Extent::Everything)?;
    let report = Report { origin: case::origin(&case), parameters: case.parameters(), run: report, warnings };
    let text = match format {
        Format::Text => report_text::run(&case, &report),
        Format::Json => report::json(&report)?,
    };
    // Whatever cannot be written, the rest is: first the result, which may have taken hours.
    let mut failures = Vec::from_iter(print(&text).err());
    interrupt.printed();
    // Behind the run nobody has asked: the result is whole, and files are left out as where it comes while they are written.
    let late = interrupt.came() && !run.interrupted;
    if !late {
        failures.extend(outputs.write(&case, &run, &report.run.figures));
    } else if has_files {
        complain("note", &LEFT_OUT);
    }
    ended(if late || run.interrupted { Ending::Interrupted } else { Ending::Done }, failures)
}
