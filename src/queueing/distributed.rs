//! A run of a network over several ranks.

use std::borrow::Cow;
use std::ops::Range;
use std::time::Instant;

use super::capability;
use super::checkpoint::{Checkpoint, End, State};
use super::going::Going;
use super::partition::Partition;
use super::rank::{Asked, Rank};
use super::share::Share;
use super::{NetworkDetails, NetworkModel, NetworkOptions, NetworkOutcome, QueueingError, reference};
use tickless_core::ranks::{Failure, Ranks, Transport, agree};
use tickless_core::run::{Run, RunMode, Wanted, Watch, WithoutSnapshots};
use tickless_core::time::Time;
use tickless_device::Target;

/// Runs one replication of a network on the heap over several ranks, each with some of the stations; what there is at the end, on rank 0,
/// and nothing on others.
///
/// # Errors
/// Features that ranks cannot share, a partition of another model, a checkpoint of another model, a rank that fails.
pub(super) fn run(
    model: &NetworkModel,
    numbers: Range<u32>,
    RunMode { from, wanted }: RunMode<'_, Checkpoint>,
    (mut ranks, cut): (Ranks<'_>, Option<Partition>),
    watch: &mut dyn Watch,
) -> Result<Run<Checkpoint, NetworkDetails>, QueueingError> {
    let (count, is_first, replication) = (ranks.count(), ranks.has_first(), numbers.start);
    let only = from.and_then(Checkpoint::only);
    let clock = only.map_or(Time::ZERO, |(_, clock, _)| clock);
    let nothing = || Run::nothing(model.until(), None, false).map(|()| Checkpoint::default());
    let leaves = wanted == Wanted::Checkpoint && count > 1;
    let shared = || {
        check(model, &numbers, from)?;
        capability::check_ranks(model, leaves)?;
        self::cut(model, cut, count)
    };
    let (in_lists, cut) = ranks.agree(shared).map_err(Failure::into_error)?;
    if wanted == Wanted::Checkpoint && numbers.len() == 1 && (count == 1 || clock >= model.until()) {
        // A single rank meets no other.
        let alone = Going::new(model, numbers, from, Target::Heap, NetworkOptions::default())?;
        let run = alone.run(&mut WithoutSnapshots(watch))?;
        return Ok(if is_first { run } else { nothing() });
    }
    let begins = counting_from(in_lists, clock);
    let asked = Asked { model: &begins, cut: &cut, replication, from: only.map(|(_, _, state)| state), wanted };
    let run = simulate(asked, ranks, watch)?;
    Ok(run.map_or_else(nothing, |run| behind(run, only, model.warmup())))
}

/// Refuses several replications, and a checkpoint of another model.
fn check(model: &NetworkModel, numbers: &Range<u32>, from: Option<&Checkpoint>) -> Result<(), QueueingError> {
    if numbers.len() > 1 {
        let what = "several replications: run one, or all of them on one heap or device";
        return Err(QueueingError::NotOverRanks { what: what.into() });
    }
    from.map_or(Ok(()), |from| from.check(model, 1))
}

/// A run of one replication, added to the run before it.
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

/// The model of a run that resumes at a time: it counts from there on.
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

/// A model that can run over ranks, with its stations in lists, and the rank of each station.
fn cut(
    model: &NetworkModel,
    cut: Option<Partition>,
    count: u32,
) -> Result<(Cow<'_, NetworkModel>, Partition), QueueingError> {
    if cut.is_none() && count > model.stations() {
        return Err(QueueingError::TooManyRanks { ranks: count, stations: model.stations() });
    }
    let cut = cut.unwrap_or_else(|| Partition::new(model, count));
    let model = model.in_lists()?;
    cut.check(&model, count)?;
    Ok((model, cut))
}

/// Runs a replication over ranks; returns the result on rank 0.
fn on_rank(
    asked: Asked<'_>,
    transport: &mut dyn Transport,
    watch: &mut dyn Watch,
) -> Result<Option<Run<End, NetworkDetails>>, Failure<QueueingError>> {
    let begun = Instant::now();
    let share = Share::new(asked.model, asked.cut, transport.rank()).map_err(QueueingError::from);
    let rank = Rank { asked, share: &agree(transport, share)?, begun };
    reference::distributed::simulate(rank, transport, watch)
}
