//! One run over several ranks: threads of this process by `--ranks`, or processes that somebody else has started.

use std::ffi::OsString;
use std::num::NonZeroU32;

use clap::{ArgMatches, Args};

use super::arguments::{RunArguments, parsed, within};
use super::backend::Ready;
use super::case::{RunOf, Wanted};
use super::checkpoint::{
    self, Alone, Checkpoint, CourseArguments, KeptArguments, KeptOf, PartOf, Resumable, Shared, Told,
};
use super::interrupt::Interrupt;
use super::output::OutputFile;
use super::progress::Watcher;
use super::resume::{self, ResumeArguments};
use super::run::{self, Course, Given};
use super::{CommandError, Ending};
use crate::ranks::{self, Failure, Ranks, Transport, TransportError};
use crate::run::{Watch, unwatched};

/// What a run takes that may go over ranks.
#[derive(Debug, Args)]
pub struct OverArguments<A: Args, O: Args, F: Args> {
    #[command(flatten)]
    pub kept: KeptArguments<A, O, F>,
    /// Heaps that share the run, 2 to 1024, each on a thread with a part of the model: to the same digest, and faster where the
    /// model has lookahead and events enough [default: one heap]
    #[arg(long, value_name = "N", value_parser = ranks, help_heading = "Device")]
    pub ranks: Option<NonZeroU32>,
}

/// The most ranks of one process.
pub const MOST: u32 = 1024;

fn ranks(text: &str) -> Result<NonZeroU32, String> {
    within(text, NonZeroU32::MIN.saturating_add(1)..=NonZeroU32::MIN.saturating_add(MOST - 1))
}

/// A model that one run of goes over ranks.
pub trait OverRanks: Resumable {
    /// Refuses options that do not go with ranks, or not with those of other processes.
    ///
    /// # Errors
    /// [`CommandError::Usage`], which names the option.
    fn check_over_ranks(&self, of_processes: bool) -> Result<(), CommandError>;

    /// Runs it; `None` on ranks of other processes than that of rank 0.
    ///
    /// # Errors
    /// What the heap returns, and what ranks cannot go on with.
    fn run_over(
        &mut self,
        ranks: Ranks<'_>,
        wanted: Wanted,
        watch: &mut dyn Watch,
    ) -> Result<Option<RunOf<Self>>, CommandError>;

    /// Runs it from a checkpoint, or from time 0, until the watch stops it or the horizon.
    ///
    /// # Errors
    /// The same.
    fn run_from_over(
        &mut self,
        from: Option<&Self::Checkpoint>,
        ranks: Ranks<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Option<PartOf<Self>>, CommandError>;
}

/// A run over ranks, of which this process has the first.
struct Over<'a> {
    ranks: Ranks<'a>,
    /// Whether all ranks have heard that this one is ready.
    ready: &'a mut bool,
}

impl<C: OverRanks> Course<C> for Over<'_> {
    fn check(&self, case: &C) -> Result<(), CommandError> {
        case.check_over_ranks(matches!(self.ranks, Ranks::Over(_)))
    }

    fn ranks(&self) -> Option<u32> {
        Some(self.ranks.count())
    }

    fn execute(
        mut self,
        case: &mut C,
        backend: &mut Ready,
        _: Given<'_>,
        wanted: Wanted,
        _: Option<&mut OutputFile>,
        interrupt: &Interrupt,
    ) -> Result<RunOf<C>, CommandError> {
        if let Ranks::Over(transport) = &mut self.ranks {
            *self.ready = true;
            agree(*transport, Ok(()))?;
        }
        let mut watcher = Watcher::new(backend.name(), C::EVENTS, C::CLOCK, interrupt);
        let run = case.run_over(self.ranks, wanted, &mut watcher)?;
        // A run of few events is over before anybody looks.
        interrupt.watched();
        run.ok_or_else(|| TransportError::Other { what: "rank 0 has no result".into() }.into())
    }
}

/// Runs the model, over ranks where that is asked.
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
        Some(count) => run_shared::<C>(kept, words, (Ranks::Threads(count), &mut true), interrupt),
    }
}

/// The same over ranks, of which this process has the first.
fn run_shared<'a, C: OverRanks>(
    kept: KeptOf<C>,
    words: &[OsString],
    (ranks, ready): (Ranks<'a>, &'a mut bool),
    interrupt: &Interrupt,
) -> Result<Ending, CommandError> {
    if kept.checkpoint.checkpoint.is_some() {
        return checkpoint::run::<C>(kept, words, Shared { ranks, ready }, interrupt);
    }
    kept.checkpoint.course.check_unused()?;
    run::carry_out::<C>(kept.run, Over { ranks, ready }, interrupt)
}

/// Runs the model over ranks that are processes, of which this is one. Only rank 0 prints and writes.
///
/// # Errors
/// [`CommandError`]: on other ranks than the first what they alone have met.
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
        let mut ready = false;
        let over = arguments
            .and_then(|kept| run_shared::<C>(kept, words, (Ranks::Over(&mut *transport), &mut ready), interrupt));
        // Else they wait to hear that.
        return if ready { over } else { agree(transport, over) };
    }
    // Rank 0 hears of it, and ends this one with the others.
    interrupt.watched();
    let (mut case, (wanted, keeps)) = agree(transport, arguments.and_then(prepared::<C>))?;
    if keeps {
        checkpoint::follow(&mut case, transport)?;
    } else {
        case.run_over(Ranks::Over(transport), wanted, &mut unwatched())?;
    }
    Ok(Ending::Done)
}

/// Goes on from a checkpoint over ranks that are processes, of which this is one; rank 0 has read it.
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
        let kept = resume::arranged::<C>(kept, told, given, true)?;
        check_processes(given.ranks, &kept.checkpoint.course)?;
        Ok(kept)
    });
    if let Some(checkpoint) = checkpoint {
        let mut ready = false;
        let over = arguments.and_then(|kept| {
            let shared = Shared { ranks: Ranks::Over(&mut *transport), ready: &mut ready };
            checkpoint.go_on::<C>(kept, shared, interrupt)
        });
        return if ready { over } else { agree(transport, over) };
    }
    interrupt.watched();
    let (mut case, _) = agree(transport, arguments.and_then(prepared::<C>))?;
    checkpoint::follow(&mut case, transport)?;
    Ok(Ending::Done)
}

/// Refuses what ranks that are processes do not take.
fn check_processes(ranks: Option<NonZeroU32>, course: &CourseArguments) -> Result<(), CommandError> {
    let message = if ranks.is_some() {
        "--ranks is for threads, and mpirun has started the ranks"
    } else if course.retry.is_some() {
        "--retry is for one process, and a rank that fails ends all of them: leave it out, and go on with tickless resume"
    } else {
        return Ok(());
    };
    Err(CommandError::Usage { message: message.into() })
}

/// The model of a rank that follows; what is wanted of it, and whether it leaves checkpoints.
fn prepared<C: OverRanks>(KeptArguments { run, checkpoint }: KeptOf<C>) -> Result<(C, (Wanted, bool)), CommandError> {
    let RunArguments { model, backend, device, options, files, .. } = run;
    let case = C::prepare(model, &options, &files)?;
    let ready = Ready::over_ranks(backend, &device)?;
    case.check_options(&ready)?;
    case.check_over_ranks(true)?;
    let wanted = if C::files(&files).is_empty() { Wanted::Figures } else { Wanted::Records };
    Ok((case, (wanted, checkpoint.checkpoint.is_some())))
}

/// Goes on where every rank can. Of ranks that meet the same error the first says it.
///
/// # Errors
/// That of this rank, or that another one has one.
pub fn agree<T>(transport: &mut dyn Transport, own: Result<T, CommandError>) -> Result<T, CommandError> {
    ranks::agree(transport, own).map_err(|failure| match failure {
        Failure::Part(error) => error,
        Failure::Transport(error) => error.into(),
    })
}
