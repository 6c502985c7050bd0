//! `tickless resume`: a run goes on from a checkpoint.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgMatches, Args};

use super::arguments::{Backend, DeviceArguments, Format, parsed};
use super::cases::CASES;
use super::checkpoint::{Checkpoint, CourseArguments, KeptArguments, Resumable};
use super::commands::command;
use super::interrupt::Interrupt;
use super::rounds::OtherRounds;
use super::{CommandError, Ending, chosen};

#[derive(Debug, Args)]
pub struct ResumeArguments {
    /// What a run was given with --checkpoint
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What runs the rest [default: as the run was given]
    #[arg(long, value_name = "NAME")]
    backend: Option<Backend>,
    #[command(flatten)]
    device: DeviceArguments,
    #[command(flatten)]
    course: CourseArguments,
    #[command(flatten)]
    rounds: OtherRounds,
    /// How the result is written to standard output [default: as the run was given]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    format: Option<Format>,
}

/// Goes on from the later of the two files.
///
/// # Errors
/// [`CommandError`].
pub fn run(arguments: &ResumeArguments, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    interrupt.resumes();
    let checkpoint = Checkpoint::read(&arguments.file)?;
    let words = checkpoint.words().iter().map(OsString::from);
    let typed: Vec<OsString> = std::iter::once("tickless".into()).chain(words).collect();
    let resume = CASES.iter().find(|case| case.name == checkpoint.model()).and_then(|case| case.resume);
    let resume = resume.ok_or_else(|| checkpoint.fault(format!("its model is '{}'", checkpoint.model())))?;
    let matches = command().try_get_matches_from(&typed).map_err(|error| {
        checkpoint
            .fault(format!("its words are no command of this tickless ({})", CommandError::usage(&error, &[], &typed)))
    })?;
    resume(chosen(&matches).1, checkpoint, arguments, interrupt)
}

/// Goes on with a run of a model: its options are those that it was given, but for what the resumption says.
///
/// # Errors
/// [`CommandError`].
pub fn go_on<C: Resumable>(
    matches: &ArgMatches,
    checkpoint: Checkpoint,
    given: &ResumeArguments,
    interrupt: &Interrupt,
) -> Result<Ending, CommandError> {
    let mut kept: KeptArguments<C::Arguments, C::Options, C::Files> = parsed(matches)?;
    let run = &mut kept.run;
    run.model = checkpoint.arguments()?;
    C::run_otherwise(&mut run.model, &given.rounds)?;
    if let Some(backend) = given.backend {
        // What was said of another backend is not for this one.
        (run.backend, run.device) = (backend, DeviceArguments::default());
    }
    run.device.replace_with(&given.device);
    run.format = given.format.unwrap_or(run.format);
    let course = &mut kept.checkpoint.course;
    course.every = given.course.every.or(course.every);
    course.retry = given.course.retry.or(course.retry);
    checkpoint.go_on::<C>(kept, interrupt)
}
