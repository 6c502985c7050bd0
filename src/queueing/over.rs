//! A run of a network over several ranks.

use std::borrow::Cow;
use std::time::Instant;

use super::capability;
use super::checkpoint::{Checkpoint, End, State};
use super::cut::Cut;
use super::going::run_from;
use super::rank::{Asked, Rank};
use super::share::Share;
use super::{NetworkDetails, NetworkModel, NetworkOptions, NetworkOutcome, QueueingError, reference};
use tickless_core::ranks::{Failure, Ranks, Transport, Wanted, agree};
use tickless_core::run::{Run, Watch};
use tickless_core::time::Time;
use tickless_device::Target;

/// How a network runs over ranks. None of it changes a result.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Cut, OverOptions};
/// let options = OverOptions { cut: Some(Cut::of_stations(vec![0, 0, 1])), ..Default::default() };
/// assert!(!options.figures_only);
/// ```
#[derive(Clone, Debug, Default)]
pub struct OverOptions {
    /// The rank of each station; `None` for [`Cut::new`].
    pub cut: Option<Cut>,
    /// Whether figures of all stations together and the digest are enough: the outcome has
    /// [`added_up`](tickless_core::statistics::Outcome::added_up) in place of records then, and ranks send a few words in place of them.
    /// One rank alone on a heap has its records all the same, and so has a run that goes on from a checkpoint.
    pub figures_only: bool,
}

/// Runs one replication of a network on the heap over several ranks, each with some of the stations, to the records and the digest
/// of a run on one. The run is given back on rank 0, and `None` on others: with [`Ranks::Threads`] it is always there.
///
/// Between the start of a service and the arrival of its token on another rank some time must lie: the shortest service time and
/// the delay of the edge, and the longer it is, the fewer rounds there are; where all stations have one server it may be none. A
/// round costs some microseconds, which must be little beside the events in it.
///
/// # Errors
/// [`QueueingError::CutLookahead`] where that time is 0 and a station has several servers; approximate time and distributions, which do
/// not go over ranks; a cut that is not one of this model; a rank that fails or is gone; and as [`run`](super::run).
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use std::num::NonZeroU32;
/// use tickless::device::Target;
/// use tickless::queueing::{self, Network, Station, Topology, run_over};
/// use tickless::{ranks::Ranks, run::unwatched};
/// let each = Station::new("s", "exponential:10".parse()?).tokens(1);
/// let torus = Network::generate(&Topology::Torus { width: 16, height: 16 }, &each, 0.0)?;
/// let model = torus.window(1.0).until(100.0).check()?;
/// let two = Ranks::Threads(NonZeroU32::new(2).unwrap());
/// let over = run_over(&model, 0, two, Default::default(), &mut unwatched())?.unwrap();
/// let alone = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(over.outcome.digest(), alone.outcome[0].digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_over(
    model: &NetworkModel,
    replication: u32,
    mut ranks: Ranks<'_>,
    OverOptions { cut, figures_only }: OverOptions,
    watch: &mut dyn Watch,
) -> Result<Option<Run<NetworkOutcome, NetworkDetails>>, QueueingError> {
    let (in_lists, cut) = ranks.agree(self::cut(model, cut, ranks.count())).map_err(Failure::into_error)?;
    let wanted = if figures_only { Wanted::Figures } else { Wanted::Records };
    let asked = Asked { model: &in_lists, cut: &cut, replication, from: None, wanted };
    let run = simulate(asked, ranks, watch)?;
    Ok(run.map(|run| run.map(|end| end.outcome)))
}

/// The same from a checkpoint on, or from time 0, to what another run can go on from, over other ranks or on another backend.
/// The checkpoint has one replication, is whole, and the same on every rank.
///
/// # Errors
/// As [`run_over`]; [`QueueingError::Checkpoint`] where it is not of this model.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use std::num::NonZeroU32;
/// use tickless::device::Target;
/// use tickless::queueing::{self, Network, Station, Topology, run_from_over};
/// use tickless::{ranks::Ranks, run::unwatched};
/// let each = Station::new("s", "exponential:10".parse()?).tokens(1);
/// let torus = Network::generate(&Topology::Torus { width: 16, height: 16 }, &each, 0.0)?;
/// let model = torus.window(1.0).until(100.0).check()?;
/// let two = Ranks::Threads(NonZeroU32::new(2).unwrap());
/// let over = run_from_over(&model, 0, None, two, None, &mut unwatched())?.unwrap();
/// let alone = queueing::run_from(&model, 0..1, None, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(over.outcome, alone.outcome);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_from_over(
    model: &NetworkModel,
    replication: u32,
    from: Option<&Checkpoint>,
    mut ranks: Ranks<'_>,
    cut: Option<Cut>,
    watch: &mut dyn Watch,
) -> Result<Option<Run<Checkpoint, NetworkDetails>>, QueueingError> {
    let count = ranks.count();
    let only = from.and_then(Checkpoint::only);
    let clock = only.map_or(Time::ZERO, |(_, clock, _)| clock);
    if count == 1 || clock >= model.until() {
        // Nobody meets another one.
        let numbers = replication..replication.saturating_add(1);
        let run = run_from(model, numbers, from, Target::Heap, NetworkOptions::default(), watch)?;
        return Ok(Some(run).filter(|_| ranks.has_first()));
    }
    let fits = from.map_or(Ok(()), |from| from.check(model, 1));
    let (model, cut) = ranks.agree(fits.and_then(|()| self::cut(model, cut, count))).map_err(Failure::into_error)?;
    let (warmup, begins) = (model.warmup(), counting_from(model, clock));
    let (from, wanted) = (only.map(|(_, _, state)| state), Wanted::Checkpoint);
    let asked = Asked { model: &begins, cut: &cut, replication, from, wanted };
    let run = simulate(asked, ranks.again(), watch)?;
    Ok(run.map(|run| behind(run, only, warmup)))
}

/// A run of one replication, with what was before it.
fn behind(
    run: Run<End, NetworkDetails>,
    before: Option<(&NetworkOutcome, Time, &State)>,
    warmup: Time,
) -> Run<Checkpoint, NetworkDetails> {
    let clock = run.clock;
    run.map(|End { outcome, state }| {
        let outcome = match before {
            Some((before, clock, _)) => outcome.behind(before, clock, warmup),
            None => outcome,
        };
        Checkpoint::of_one(outcome, clock, state)
    })
}

/// The model for a run that goes on at a time: it counts from there on.
fn counting_from(model: Cow<'_, NetworkModel>, clock: Time) -> Cow<'_, NetworkModel> {
    if model.warmup() >= clock { model } else { Cow::Owned(NetworkModel { warmup: clock, ..model.into_owned() }) }
}

fn simulate(
    asked: Asked<'_>,
    ranks: Ranks<'_>,
    watch: &mut dyn Watch,
) -> Result<Option<Run<End, NetworkDetails>>, QueueingError> {
    let threads = matches!(ranks, Ranks::Threads(_)).then_some(ranks.count() as usize);
    let run = ranks.run(|transport, watch| on_rank(asked, transport, watch), watch);
    Ok(run.map_err(Failure::into_error)?.map(|run| Run { threads, ..run }))
}

/// A model that goes over ranks, with its stations in lists, and which rank has which of them.
fn cut(model: &NetworkModel, cut: Option<Cut>, count: u32) -> Result<(Cow<'_, NetworkModel>, Cut), QueueingError> {
    capability::check_ranks(model)?;
    if cut.is_none() && count > model.stations() {
        return Err(QueueingError::TooManyRanks { ranks: count, stations: model.stations() });
    }
    let cut = cut.unwrap_or_else(|| Cut::new(model, count));
    let model = model.in_lists()?;
    cut.check(&model, count)?;
    Ok((model, cut))
}

/// Runs a replication over ranks; what there is at the end, on rank 0.
fn on_rank(
    asked: Asked<'_>,
    transport: &mut dyn Transport,
    watch: &mut dyn Watch,
) -> Result<Option<Run<End, NetworkDetails>>, Failure<QueueingError>> {
    let begun = Instant::now();
    let share = Share::new(asked.model, asked.cut, transport.rank()).map_err(QueueingError::from);
    let rank = Rank { asked, share: &agree(transport, share)?, begun };
    reference::over::simulate(rank, transport, watch)
}
