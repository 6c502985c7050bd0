//! One run over several ranks: threads of this process by `--ranks`, or processes that somebody else has started.

use std::ffi::OsString;
use std::num::NonZeroU32;

use clap::{ArgMatches, Args};

use super::arguments::{Backend, OfRank, RunArguments, parsed, within};
use super::backend::{Places, Ready};
use super::case::{RunOf, Wanted};
use super::checkpoint::{self, KeptArguments, Resumable};
use super::interrupt::Interrupt;
use super::output::OutputFile;
use super::progress::Watcher;
use super::run::{self, Course, Given};
use super::warning::Warning;
use super::{CommandError, Ending};
use crate::ranks::{self, Failure, Ranks, Transport, TransportError};
use crate::run::{Watch, unwatched};

/// What a run takes that may go over ranks.
#[derive(Debug, Args)]
pub struct OverArguments<A: Args, O: Args, F: Args> {
    #[command(flatten)]
    pub kept: KeptArguments<A, O, F>,
    /// Ranks that share the run, 2 to 1024, each on a thread with a part of the model, on a heap or what --backend names: to the
    /// same digest, and faster where the model has lookahead and events enough [default: one heap or device]
    #[arg(long, value_name = "N", value_parser = ranks, help_heading = "Device")]
    pub ranks: Option<NonZeroU32>,
    /// What each rank is on, one after the other, as in heap,wgpu,wgpu: of phold
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "backend", help_heading = "Device")]
    pub backends: Vec<OfRank>,
}

/// The most ranks of one process.
const MOST: u32 = 1024;

fn ranks(text: &str) -> Result<NonZeroU32, String> {
    within(text, NonZeroU32::MIN.saturating_add(1)..=NonZeroU32::MIN.saturating_add(MOST - 1))
}

/// A model that one run of goes over ranks.
pub trait OverRanks: Resumable {
    /// Whether a rank may be on a device.
    const ON_DEVICES: bool;

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
        backend: &Ready,
        wanted: Wanted,
        watch: &mut dyn Watch,
    ) -> Result<Option<RunOf<Self>>, CommandError>;
}

/// What each of so many ranks is on: those of the list where there is one.
fn backends<C: OverRanks>(backend: Backend, list: Vec<OfRank>, count: u32) -> Result<Vec<OfRank>, CommandError> {
    let places = if list.is_empty() { vec![OfRank::all(backend); count as usize] } else { list };
    let message = if places.len() != count as usize {
        format!("--backends names {}, and there are {count} ranks: name one for each", places.len())
    } else if !C::ON_DEVICES && places.iter().any(|place| *place != OfRank::Heap) {
        format!("{} goes over ranks on heaps: leave --backend and --backends out, or use one rank", C::NAME)
    } else {
        return Ok(places);
    };
    Err(CommandError::Usage { message })
}

/// A run over ranks, of which this process has the first.
struct Over<'a> {
    ranks: Ranks<'a>,
    /// What each is on, where the command line lists it.
    backends: Vec<OfRank>,
    /// Whether all ranks have heard that this one is ready.
    ready: &'a mut bool,
}

impl<C: OverRanks> Course<C> for Over<'_> {
    fn check(&self, case: &C) -> Result<(), CommandError> {
        case.check_over_ranks(matches!(self.ranks, Ranks::Over(_)))
    }

    fn open(&self, _: &C, given: Given<'_>) -> Result<(Ready, Vec<Warning>), CommandError> {
        let backends = backends::<C>(given.backend, self.backends.clone(), self.ranks.count())?;
        let places = match &self.ranks {
            Ranks::Threads(_) => Places { alike: alike(&backends), backends, on_host: 0 },
            Ranks::Over(transport) => of_process(&backends, *transport),
        };
        Ready::over_ranks(&places, given.device)
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
        let run = case.run_over(self.ranks, backend, wanted, &mut watcher)?;
        // A run of few events is over before anybody looks.
        interrupt.watched();
        let run = run.map(|mut run| {
            run.setup += backend.opening();
            run
        });
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
    let OverArguments { kept, ranks, backends } = parsed(matches)?;
    let Some(count) = ranks else {
        if backends.is_empty() {
            return checkpoint::run::<C>(kept, words, interrupt);
        }
        let message = "--backends says what each rank is on: give --ranks N too, or --backend in place of it".into();
        return Err(CommandError::Usage { message });
    };
    let arguments = alone(kept, "--ranks")?;
    run::carry_out::<C>(arguments, Over { ranks: Ranks::Threads(count), backends, ready: &mut true }, interrupt)
}

/// The arguments of a run that leaves no checkpoints.
fn alone<A: Args, O: Args, F: Args>(
    KeptArguments { run, checkpoint }: KeptArguments<A, O, F>,
    ranks: &str,
) -> Result<RunArguments<A, O, F>, CommandError> {
    checkpoint.course.check_unused()?;
    if checkpoint.checkpoint.is_none() {
        return Ok(run);
    }
    let message = format!("--checkpoint is for a run on one heap or device: leave it out, or {ranks}");
    Err(CommandError::Usage { message })
}

/// Runs the model over ranks that are processes, of which this is one. Only rank 0 prints and writes.
///
/// # Errors
/// [`CommandError`]: on other ranks than the first what they alone have met.
pub fn take_part<C: OverRanks>(
    matches: &ArgMatches,
    transport: &mut dyn Transport,
    interrupt: &Interrupt,
) -> Result<Ending, CommandError> {
    let arguments = parsed(matches).and_then(|OverArguments { kept, ranks, backends }| match ranks {
        None => alone(kept, "MPI").map(|arguments| (arguments, backends)),
        Some(_) => {
            Err(CommandError::Usage { message: "--ranks is for threads, and mpirun has started the ranks".into() })
        }
    });
    if transport.rank() == 0 {
        let mut ready = false;
        let over = arguments.and_then(|(arguments, backends)| {
            let over = Over { ranks: Ranks::Over(transport), backends, ready: &mut ready };
            run::carry_out::<C>(arguments, over, interrupt)
        });
        // Else they wait to hear that.
        return if ready { over } else { agree(transport, over) };
    }
    // Rank 0 hears of it, and ends this one with the others.
    interrupt.watched();
    let prepared = arguments.and_then(|(RunArguments { model, backend, device, options, files, .. }, list)| {
        let case = C::prepare(model, &options, &files)?;
        case.check_over_ranks(true)?;
        let backends = backends::<C>(backend, list, transport.ranks())?;
        let (ready, _) = Ready::over_ranks(&of_process(&backends, transport), &device)?;
        case.check_options(&ready)?;
        let has_files = !C::files(&files).is_empty();
        Ok((case, ready, if has_files { Wanted::Records } else { Wanted::Figures }))
    });
    let (mut case, ready, wanted) = agree(transport, prepared)?;
    case.run_over(Ranks::Over(transport), &ready, wanted, &mut unwatched())?;
    Ok(Ending::Done)
}

/// What the rank that is this process is on.
fn of_process(backends: &[OfRank], transport: &dyn Transport) -> Places {
    let own = backends[transport.rank() as usize];
    Places { alike: alike(backends), backends: vec![own], on_host: transport.rank_on_host() }
}

fn alike(backends: &[OfRank]) -> bool {
    backends.iter().all(|backend| *backend == backends[0])
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
