//! `tickless resume`: a run goes on from a checkpoint.

use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{ArgMatches, Args, Command};
use serde_json::json;

use super::arguments::{Backend, DeviceArguments, Format, parsed, within};
use super::checkpoint::{
    Alone, Checkpoint, CourseArguments, KeptOf, OverRanks, Resumable, Shared, Told, agree, hear, tell,
};
use super::distributed::{self, MOST, OverArguments, check_processes, check_retry, lead};
use super::interrupt::Interrupt;
use super::rounds::OtherRounds;
use super::{CommandError, Ending, chosen};
use tickless_core::archive::Arrays;
use tickless_core::ranks::{Ranks, Transport, TransportError};

/// Goes on from a checkpoint of the run that is given.
type Whole = fn((&ArgMatches, &Told), Checkpoint, &ResumeArguments, &Interrupt) -> Result<Ending, CommandError>;
/// Takes part in a run over ranks that resumes from a checkpoint, which rank 0 has.
type Part = fn(
    (&ArgMatches, &Told),
    Option<Checkpoint>,
    &ResumeArguments,
    &mut dyn Transport,
    &Interrupt,
) -> Result<Ending, CommandError>;

/// How runs of a model resume.
#[derive(Clone, Copy)]
pub struct Resumption {
    /// In one process, if runs of the model leave checkpoints.
    pub whole: Option<Whole>,
    /// On ranks that are processes, if the model goes over ranks.
    pub part: Option<Part>,
}

impl Resumption {
    pub const NONE: Self = Self { whole: None, part: None };
}

#[derive(Debug, Args)]
pub struct ResumeArguments {
    /// What a run was given with --checkpoint
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What runs the rest [default: as the run was given]
    #[arg(long, value_name = "NAME")]
    pub backend: Option<Backend>,
    #[command(flatten)]
    device: DeviceArguments,
    /// Heaps that share the rest, up to 1024; 1 for one heap or device [default: as the run was given]
    #[arg(long, value_name = "N", help_heading = "Device")]
    #[arg(value_parser = within(NonZeroU32::MIN..=NonZeroU32::MIN.saturating_add(MOST - 1)))]
    pub ranks: Option<NonZeroU32>,
    #[command(flatten)]
    course: CourseArguments,
    #[command(flatten)]
    rounds: OtherRounds,
    /// Write over files outside of the current folder too, where the options of the run name such files: look first at the note
    /// that lists them
    #[arg(long, help_heading = "Output")]
    yes: bool,
    /// How the result is written to standard output [default: as the run was given]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    format: Option<Format>,
}

/// Goes on from the later of the two files.
pub fn run(
    arguments: &ResumeArguments,
    (of, command): (impl Fn(&str) -> Option<Resumption>, Command),
    interrupt: &Interrupt,
) -> Result<Ending, CommandError> {
    interrupt.resumes();
    let checkpoint = Checkpoint::read(&arguments.file, arguments.yes)?;
    let told = checkpoint.told();
    let resume = of(&told.model).and_then(|found| found.whole).ok_or_else(|| no_model(&told))?;
    let matches = matches_of(&told, command)?;
    resume((chosen(&matches).1, &told), checkpoint, arguments, interrupt)
}

/// The same over ranks that are processes, of which this is one. Rank 0 reads the file, and tells the others what they must know.
pub fn take_part(
    arguments: &ResumeArguments,
    (of, command): (impl Fn(&str) -> Option<Resumption>, Command),
    transport: &mut dyn Transport,
    interrupt: &Interrupt,
) -> Result<Ending, CommandError> {
    let is_first = transport.rank() == 0;
    let (told, checkpoint) = if is_first {
        interrupt.resumes();
        let read = Checkpoint::read(&arguments.file, arguments.yes).map(|checkpoint| (checkpoint.told(), checkpoint));
        let (told, checkpoint) = agree(transport, read)?;
        tell(transport, Ok((json!(told), Arrays::default())))?;
        (told, Some(checkpoint))
    } else {
        agree(transport, Ok(()))?;
        let (said, _) = hear(transport)?;
        let told = serde_json::from_value(said).map_err(|error| TransportError::Other { what: error.to_string() })?;
        (told, None)
    };
    let found = of(&told.model).ok_or_else(|| no_model(&told)).and_then(|found| {
        let message = || format!("the model {} does not go over ranks: use tickless resume", told.model);
        let resume = found.part.ok_or_else(|| CommandError::Usage { message: message() })?;
        Ok((resume, matches_of(&told, command)?))
    });
    let (resume, matches) = agree(transport, found)?;
    resume((chosen(&matches).1, &told), checkpoint, arguments, transport, interrupt)
}

fn no_model(told: &Told) -> CommandError {
    told.fault(format!("its model is '{}'", told.model))
}

/// The arguments of its run.
fn matches_of(told: &Told, command: Command) -> Result<ArgMatches, CommandError> {
    let typed: Vec<OsString> =
        std::iter::once("tickless".into()).chain(told.words.iter().map(OsString::from)).collect();
    command.try_get_matches_from(&typed).map_err(|error| {
        told.fault(format!("its words are no command of this tickless ({})", CommandError::usage(&error, &[], &typed)))
    })
}

/// Resumes from a checkpoint over ranks that are processes, of which this is one; rank 0 has read the checkpoint.
///
/// # Errors
/// As [`take_part`].
pub fn resume_part<C: OverRanks>(
    (matches, told): (&ArgMatches, &Told),
    checkpoint: Option<Checkpoint>,
    given: &ResumeArguments,
    transport: &mut dyn Transport,
    interrupt: &Interrupt,
) -> Result<Ending, CommandError> {
    let arguments = parsed(matches).and_then(|OverArguments { kept, ranks: _ }| {
        let kept = arranged::<C>(kept, told, given, true)?;
        check_processes(given.ranks, &kept.checkpoint.course)?;
        Ok(kept)
    });
    match checkpoint {
        Some(checkpoint) => lead(transport, |shared| checkpoint.go_on::<C>(arguments?, shared, interrupt)),
        None => distributed::follow::<C>(transport, arguments, interrupt),
    }
}

/// Goes on with a run of a model: its options are those that it was given, but for what the resumption says. It goes over as many
/// ranks as before where that names neither ranks nor a device.
pub fn go_on<C: OverRanks>(
    (matches, told): (&ArgMatches, &Told),
    checkpoint: Checkpoint,
    given: &ResumeArguments,
    interrupt: &Interrupt,
) -> Result<Ending, CommandError> {
    let OverArguments { kept, ranks: before } = parsed(matches)?;
    let on_device = matches!(given.backend, Some(Backend::Wgpu | Backend::Cuda));
    let ranks = given.ranks.or(before.filter(|_| !on_device)).filter(|ranks| *ranks > NonZeroU32::MIN);
    let kept = arranged::<C>(kept, told, given, before.is_none() && ranks.is_some())?;
    match ranks {
        None => checkpoint.go_on::<C>(kept, Alone, interrupt),
        Some(count) => {
            check_retry(&kept.checkpoint.course)?;
            checkpoint.go_on::<C>(kept, Shared { ranks: Ranks::Threads(count), ready: &mut true }, interrupt)
        }
    }
}

/// The same of a model that does not go over ranks.
pub fn go_on_alone<C: Resumable>(
    (matches, told): (&ArgMatches, &Told),
    checkpoint: Checkpoint,
    given: &ResumeArguments,
    interrupt: &Interrupt,
) -> Result<Ending, CommandError> {
    if given.ranks.is_some_and(|ranks| ranks > NonZeroU32::MIN) {
        let message = format!("--ranks is not for the model {}, which goes over no ranks: leave it out", C::NAME);
        return Err(CommandError::Usage { message });
    }
    let kept = arranged::<C>(parsed::<KeptOf<C>>(matches)?, told, given, false)?;
    checkpoint.go_on::<C>(kept, Alone, interrupt)
}

/// The arguments of a run, with those of its resumption in place of some. What was said of a backend is not for ranks that are new.
pub fn arranged<C: Resumable>(
    mut kept: KeptOf<C>,
    told: &Told,
    given: &ResumeArguments,
    new_ranks: bool,
) -> Result<KeptOf<C>, CommandError> {
    let run = &mut kept.run;
    run.model = told.arguments()?;
    C::run_otherwise(&mut run.model, &given.rounds)?;
    if let Some(backend) = given.backend.or(Some(Backend::Heap).filter(|_| new_ranks)) {
        // Options of another backend do not hold for this one.
        (run.backend, run.device) = (backend, DeviceArguments::default());
    }
    run.device.replace_with(&given.device);
    run.format = given.format.unwrap_or(run.format);
    let course = &mut kept.checkpoint.course;
    course.checkpoint_interval = given.course.checkpoint_interval.or(course.checkpoint_interval);
    course.retry = given.course.retry.or(course.retry);
    course.retry_on = given.course.retry_on.or(course.retry_on);
    Ok(kept)
}
