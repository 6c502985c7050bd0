//! One run over several ranks: threads of this process by `--ranks`, or processes that were started from outside.

use std::ffi::OsString;
use std::num::NonZeroU32;

use clap::{ArgMatches, Args};

use super::arguments::{Backend, RunArguments, parsed, within};
use super::backend::Ready;
use super::case::{RunOf, Wanted};
use super::checkpoint::{self, Alone, CourseArguments, KeptArguments, KeptOf, OverRanks, Parts, Shared, agree};
use super::interrupt::Interrupt;
use super::output::OutputFile;
use super::progress::Watcher;
use super::run::{self, Course, Given};
use super::warning::Warning;
use super::{CommandError, Ending};
use tickless_core::ranks::{MOST_THREADS, Ranks, Transport};
use tickless_core::run::{RunMode, unwatched};

/// The arguments of a run that may go over ranks.
#[derive(Debug, Args)]
pub struct OverArguments<A: Args, O: Args, F: Args> {
    #[command(flatten)]
    pub kept: KeptArguments<A, O, F>,
    /// Ranks that share the run, 2 to 1024, each a heap on a thread with a part of the model: to the same digest, and faster where the
    /// model has lookahead and events enough [default: one heap or device]
    #[arg(long, value_name = "N", value_parser = ranks, help_heading = "Device")]
    pub ranks: Option<NonZeroU32>,
}

/// The most ranks of one process.
pub const MOST: u32 = MOST_THREADS;

fn ranks(text: &str) -> Result<NonZeroU32, String> {
    within(NonZeroU32::MIN.saturating_add(1)..=NonZeroU32::MIN.saturating_add(MOST - 1))(text)
}

/// A run over ranks that leaves no checkpoints.
struct Over<'a>(Shared<'a>);

impl<C: OverRanks> Course<C> for Over<'_> {
    fn check(&self, case: &C) -> Result<(), CommandError> {
        Parts::check(&self.0, case)
    }

    fn open(&self, case: &C, given: Given<'_>) -> Result<(Ready, Vec<Warning>), CommandError> {
        Parts::open(&self.0, case, given)
    }

    fn ranks(&self) -> Option<u32> {
        Parts::<C>::ranks(&self.0)
    }

    fn execute(
        self,
        case: &mut C,
        backend: &mut Ready,
        _: Given<'_>,
        wanted: Wanted,
        log: Option<&mut OutputFile>,
        interrupt: &Interrupt,
    ) -> Result<RunOf<C>, CommandError> {
        let Self(mut shared) = self;
        Parts::<C>::begin(&mut shared)?;
        let mut watcher = Watcher::new(backend.name(), C::EVENTS, C::CLOCK, interrupt);
        let run = case.run_over(RunMode { from: None, wanted }, shared.ranks, log, &mut watcher)?;
        let mut run = run.map(|at| case.outcome(at));
        // A run of few events is over before anybody looks.
        interrupt.watched();
        run.setup += backend.opening();
        Ok(run)
    }
}

/// Runs the model, over ranks if asked for.
///
/// # Errors
/// [`CommandError`].
pub fn run<C: OverRanks>(
    matches: &ArgMatches,
    words: &[OsString],
    interrupt: &Interrupt,
) -> Result<Ending, CommandError> {
    let OverArguments { kept, ranks } = parsed(matches)?;
    match ranks {
        None => checkpoint::run::<C>(kept, words, Alone, interrupt),
        Some(count) => {
            let shared = Shared { ranks: Ranks::Threads(count), ready: &mut true };
            run_shared::<C>(kept, words, shared, interrupt)
        }
    }
}

/// The same over ranks, of which this process has the first.
fn run_shared<C: OverRanks>(
    kept: KeptOf<C>,
    words: &[OsString],
    shared: Shared<'_>,
    interrupt: &Interrupt,
) -> Result<Ending, CommandError> {
    if kept.checkpoint.checkpoint.is_some() {
        check_retry(&kept.checkpoint.course)?;
        return checkpoint::run::<C>(kept, words, shared, interrupt);
    }
    kept.checkpoint.course.check_unused()?;
    run::carry_out::<C>(kept.run, Over(shared), interrupt)
}

/// Runs the model over ranks that are processes, of which this is one. Only rank 0 prints and writes.
///
/// # Errors
/// [`CommandError`]: on ranks other than the first only their own errors.
pub fn take_part<C: OverRanks>(
    matches: &ArgMatches,
    words: &[OsString],
    transport: &mut dyn Transport,
    interrupt: &Interrupt,
) -> Result<Ending, CommandError> {
    let arguments = parsed(matches).and_then(|OverArguments { kept, ranks }| {
        check_processes(ranks, &kept.checkpoint.course)?;
        Ok(kept)
    });
    if transport.rank() == 0 {
        return lead(transport, |shared| run_shared::<C>(arguments?, words, shared, interrupt));
    }
    follow::<C>(transport, arguments, interrupt)
}

/// The work of rank 0 among ranks that are processes. If it ends before it has told the others that it is ready, they wait for that
/// message.
///
/// # Errors
/// [`CommandError`].
pub fn lead(
    transport: &mut dyn Transport,
    run: impl FnOnce(Shared<'_>) -> Result<Ending, CommandError>,
) -> Result<Ending, CommandError> {
    let mut ready = false;
    let over = run(Shared { ranks: Ranks::Over(&mut *transport), ready: &mut ready });
    if ready { over } else { agree(transport, over) }
}

/// The work of the other ranks. Rank 0 notices an interruption, and ends them.
///
/// # Errors
/// An error of this rank.
pub fn follow<C: OverRanks>(
    transport: &mut dyn Transport,
    arguments: Result<KeptOf<C>, CommandError>,
    interrupt: &Interrupt,
) -> Result<Ending, CommandError> {
    interrupt.watched();
    let prepared = arguments.and_then(prepared::<C>);
    let (mut case, wanted, keeps) = agree(transport, prepared)?;
    if keeps {
        checkpoint::follow(&mut case, transport)?;
    } else {
        case.run_over(RunMode { from: None, wanted }, Ranks::Over(transport), None, &mut unwatched())?;
    }
    Ok(Ending::Done)
}

/// Refuses options that exclude ranks as processes.
pub fn check_processes(ranks: Option<NonZeroU32>, course: &CourseArguments) -> Result<(), CommandError> {
    let message = if ranks.is_some() {
        "--ranks is for threads, and mpirun has started the ranks"
    } else if course.retry.is_some() {
        "--retry is for one process, and a rank that fails ends all of them: leave it out, and go on with tickless resume"
    } else {
        return Ok(());
    };
    Err(CommandError::Usage { message: message.into() })
}

/// Refuses a device as the backend of a retry.
///
/// # Errors
/// [`CommandError::Usage`].
pub fn check_retry(course: &CourseArguments) -> Result<(), CommandError> {
    match course.retry_on {
        Some(Backend::Wgpu | Backend::Cuda) => {
            let message = "ranks are heaps, and --retry-on names a device: leave it out, or give --retry-on heap";
            Err(CommandError::Usage { message: message.into() })
        }
        Some(Backend::Auto | Backend::Heap) | None => Ok(()),
    }
}

/// A rank that follows: the model, the results that its run must give, and whether it leaves checkpoints.
fn prepared<C: OverRanks>(KeptArguments { run, checkpoint }: KeptOf<C>) -> Result<(C, Wanted, bool), CommandError> {
    let RunArguments { model, backend, device, options, files, .. } = run;
    let case = C::prepare(model, &options, &files)?;
    case.check_over_ranks(true)?;
    let (ready, _) = Ready::over_ranks(backend, &device)?;
    case.check_options(&ready)?;
    let wanted = if C::files(&files).is_empty() { Wanted::Figures } else { Wanted::Records };
    Ok((case, wanted, checkpoint.checkpoint.is_some()))
}
