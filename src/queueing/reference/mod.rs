//! A network on the sequential simulator: one instant at a time, without rounds.
//!
//! A large torus, and networks whose stations have one server each, run in exact time on faster simulators of their own; all
//! others on the oracle, which has every feature. Tests check that all give the same results.

mod accounts;
mod border;
pub(super) mod distributed;
mod histograms;
mod oracle;
mod series;
mod single;
mod slab;
mod tally;
mod torus;

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

use super::capability::Simulator;
use super::checkpoint::{End, State};
use super::member::{Member, MemberError, Take};
use super::model::times;
use super::{NetworkDetails, NetworkModel, QueueingError};
use oracle::Oracle;
pub(super) use series::{Recording, record};
use single::Singles;
use slab::Slab;
use tickless_core::heap::{Summary, Word, execute};
use tickless_core::memory;
use tickless_core::run::{Asking, Interrupted, Run, RunMode, Watch, cores, replications};
use tickless_core::time::Time;

/// Stations of a torus below which it is faster with edges in lists: the state of all stations stays in the processor's
/// cache (measured: 1.6 times as fast at 64 x 64, as fast at 128 x 128, two thirds at 256 x 256).
const FEW: u32 = 1 << 13;

/// Bytes of a network at time 0: the stations and tokens with their places in queues and among events, and the records.
fn bytes(model: &NetworkModel) -> u64 {
    // With the places of transits, if there may be any.
    if Simulator::of(model, true) != Simulator::Oracle {
        return 360 * u64::from(model.stations()) + 34 * u64::from(model.tokens());
    }
    Oracle::bytes(model)
}

/// Runs one replication, one instant at a time.
fn simulate(
    model: &NetworkModel,
    replication: u32,
    mode: RunMode<'_, State>,
    watch: &mut dyn Watch,
) -> Result<Run<End, NetworkDetails>, QueueingError> {
    let simulator = Simulator::of(model, false);
    if let Simulator::Torus(torus) = simulator {
        return torus::simulate(model, torus, replication, mode, watch);
    }
    memory::room_of(bytes(model), "the stations and tokens")?;
    match simulator {
        Simulator::Singles { wide: false } => simulate_singles::<u64>(model, replication, mode, watch),
        Simulator::Singles { wide: true } => simulate_singles::<u128>(model, replication, mode, watch),
        _ => simulate_any(model, replication, mode, watch),
    }
}

/// Any network whose edges are in lists.
fn simulate_any(
    model: &NetworkModel,
    replication: u32,
    mode: RunMode<'_, State>,
    watch: &mut dyn Watch,
) -> Result<Run<End, NetworkDetails>, QueueingError> {
    let begin = Instant::now();
    let mut oracle = Oracle::new(model, model.key(replication), None);
    match mode.from {
        None => oracle.begin(&mut Asking::new(watch))?,
        Some(state) if !state.whole.is_empty() => oracle.go_on_from_whole(&state.whole)?,
        Some(state) => oracle.go_on_from(state, state.numbered_transits(), model.key(replication)),
    }
    let setup = begin.elapsed();
    let summary = execute(&mut oracle, model.until(), watch)?;
    let completions = oracle.completions();
    let whole = || oracle.whole().map(|whole| State { whole, ..State::default() });
    let state = || if model.rules_of_classes().is_some() { whole() } else { oracle.state() };
    let state = (mode.keeps() && summary.interrupted).then(state).transpose()?;
    let mut outcome = oracle.outcome(summary.clock);
    if let (Some(series), Some(step), true) = (&mut outcome.series, model.series_step(), mode.keeps()) {
        series.fill(times(step, model.until()));
    }
    Ok(ended(End { outcome, state }, completions, &summary, setup))
}

/// The same for stations of one server in exact time.
fn simulate_singles<W: Word>(
    model: &NetworkModel,
    replication: u32,
    mode: RunMode<'_, State>,
    watch: &mut dyn Watch,
) -> Result<Run<End, NetworkDetails>, QueueingError> {
    let begin = Instant::now();
    let mut singles = Singles::<W>::new(model, model.key(replication), None);
    match mode.from {
        None => singles.begin(&mut Asking::new(watch))?,
        Some(state) => singles.go_on_from(state, state.numbered_transits(), model.key(replication)),
    }
    let setup = begin.elapsed();
    let summary = execute(&mut singles, model.until(), watch)?;
    let (completions, sent) = (singles.completions(), singles.sent());
    let state = (mode.keeps() && summary.interrupted).then(|| singles.state(model.key(replication))).transpose()?;
    let outcome = singles.outcome(summary.clock);
    Ok(ended(End { outcome, state }, completions, &Summary { events: completions + sent, ..summary }, setup))
}

fn ended(
    outcome: End,
    completions: u64,
    &Summary { events, clock, interrupted, wall }: &Summary,
    setup: Duration,
) -> Run<End, NetworkDetails> {
    let details = NetworkDetails { completions, appointments: None };
    let (rounds, device, timings, moments, threads) = (None, None, vec![], vec![], Some(1));
    Run { outcome, events, rounds, clock, wall, device, setup, timings, moments, interrupted, threads, details }
}

/// Bytes of a station and of a token in the records of a replication that has ended.
const KEPT_OF_STATION: u64 = 96;
const KEPT_OF_TOKEN: u64 = 8;

/// Runs replications side by side, of which there is one or more, from what is in the network of each.
pub(super) fn run(
    model: &NetworkModel,
    numbers: Range<u32>,
    mode: RunMode<'_, [State]>,
    most_cores: Option<NonZeroUsize>,
    watch: &mut dyn Watch,
) -> Result<Run<Vec<End>, NetworkDetails>, QueueingError> {
    let begin = Instant::now();
    let is_small = model.torus().is_some_and(|torus| torus.stations() <= FEW) && model.tokens() > 0;
    let lists = if is_small { model.in_lists()? } else { Cow::Borrowed(model) };
    let (model, listing) = (&*lists, begin.elapsed());
    let (count, member) = (numbers.len(), (model, numbers));
    let mut all: Option<Run<Vec<End>, NetworkDetails>> = None;
    let take = |number: usize, run: Result<Run<End, NetworkDetails>, MemberError>| {
        let run = match run {
            Err(error) if number > 0 && error.error.is_interrupted() => return Ok(ControlFlow::Break(())),
            run => run?,
        };
        let next = if run.interrupted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        match &mut all {
            None => all = Some(run.map(|outcome| vec![outcome])),
            Some(all) if !run.interrupted => {
                all.events += run.events;
                all.details.completions += run.details.completions;
                all.outcome.push(run.outcome);
            }
            Some(_) => {}
        }
        Ok(next)
    };
    let started = Instant::now();
    let outcome = KEPT_OF_STATION * u64::from(model.stations()) + KEPT_OF_TOKEN * u64::from(model.tokens());
    let outcome = outcome + 8 * model.noted();
    let threads = cores(most_cores, count, 2 * bytes(model), outcome.saturating_mul(count as u64));
    on_cores(&[member], mode, threads, take, watch).map_err(|error| *error.error)?;
    // None is given on where the watch ends the run before the first begins.
    let mut all = all.ok_or(Interrupted)?;
    all.interrupted |= all.outcome.len() < count;
    if count > 1 {
        (all.wall, all.setup) = (started.elapsed(), Duration::ZERO);
    }
    all.setup += listing;
    all.threads = Some(threads);
    Ok(all)
}

/// Runs the replications of all networks on so many cores, and gives their results one after the other, counted from the first
/// of all.
fn on_cores(
    members: &[Member<'_>],
    mode: RunMode<'_, [State]>,
    threads: usize,
    mut take: impl FnMut(usize, Result<Run<End, NetworkDetails>, MemberError>) -> Result<ControlFlow<()>, MemberError>,
    watch: &mut dyn Watch,
) -> Result<(), MemberError> {
    let ends = ends(members);
    let simulate = |task: u32, watch: &mut dyn Watch| {
        let member = lot_of(&ends, task as usize);
        let (model, numbers) = &members[member];
        let first = ends[member] - numbers.len();
        let number = numbers.start + (task as usize - first) as u32;
        let from = mode.from.and_then(|states| states.get(task as usize));
        let run = simulate(model, number, RunMode { from, wanted: mode.wanted }, watch);
        run.map_err(|error| MemberError::new(member, error.of_replication(number, numbers)))
    };
    let until = members.iter().map(|(model, _)| model.until()).max().unwrap_or(Time::ZERO);
    let count = ends.last().copied().unwrap_or(0);
    let tasks =
        u32::try_from(count).map_err(|_| MemberError::new(0, QueueingError::Several { count: count as u64 }))?;
    replications(tasks, threads, until, simulate, |task, run| take(task as usize, run), watch)
}

/// The number behind the last replication of each network, counted from the first of all.
fn ends(members: &[Member<'_>]) -> Vec<usize> {
    let lengths = members.iter().map(|(_, numbers)| numbers.len());
    lengths.scan(0, |end, length| Some(*end + length).inspect(|all| *end = *all)).collect()
}

/// The network of a replication.
fn lot_of(ends: &[usize], task: usize) -> usize {
    ends.partition_point(|end| *end <= task)
}

/// Runs replications of several networks side by side, all networks together on the cores, and gives the results of each.
///
/// # Errors
/// The first error of a network, with its number.
pub(super) fn run_ensemble(
    members: &[Member<'_>],
    most_cores: Option<NonZeroUsize>,
    take: &mut Take<'_>,
    watch: &mut dyn Watch,
) -> Result<Run<()>, MemberError> {
    let (begin, ends) = (Instant::now(), ends(members));
    let count = ends.last().copied().unwrap_or(0);
    let until = members.iter().map(|(model, _)| model.until()).max().unwrap_or(Time::ZERO);
    let each = members.iter().map(|(model, _)| bytes(model)).max().unwrap_or(0);
    let left = |(model, numbers): &Member<'_>| KEPT_OF_STATION * u64::from(model.stations()) * numbers.len() as u64;
    let threads = cores(most_cores, count, 2 * each, members.iter().map(left).max().unwrap_or(0));
    let mut all = Run::nothing(until, Some(threads), false);
    let (mut outcomes, mut taken) = (vec![], 0);
    let given = |task: usize, run: Result<Run<End, NetworkDetails>, MemberError>| {
        let run = match run {
            Err(error) if task > 0 && error.error.is_interrupted() => return Ok(ControlFlow::Break(())),
            run => run?,
        };
        if run.interrupted {
            return Ok(ControlFlow::Break(()));
        }
        taken += 1;
        all.events += run.events;
        outcomes.push(run.outcome.outcome);
        let member = lot_of(&ends, task);
        if ends[member] == task + 1 {
            take(member, std::mem::take(&mut outcomes));
        }
        Ok(ControlFlow::Continue(()))
    };
    on_cores(members, RunMode::whole(false), threads, given, watch)?;
    if !outcomes.is_empty() {
        take(lot_of(&ends, taken), outcomes);
    }
    all.interrupted = taken < count;
    all.wall = begin.elapsed();
    Ok(all)
}

/// The model allows only horizons from which no time can pass the range.
#[inline]
fn later(time: Time, span: Time) -> Time {
    Time::from_ticks(time.ticks() + span.ticks())
}
