//! A network on the sequential simulator: one instant at a time, without rounds.
//!
//! A large torus, and networks whose stations have one server each, run in exact time on faster simulators of their own; all
//! others on the oracle, which has every feature. Tests check that all give the same results.

mod accounts;
mod batch_means;
mod border;
mod controlled;
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
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::capability::Simulator;
use super::checkpoint::{End, State};
use super::member::{Member, MemberError};
use super::model::times;
use super::outcome::Folded;
use super::{NetworkDetails, NetworkModel, NetworkOutcome, QueueingError, Visit};
pub(super) use batch_means::batch_means;
pub(super) use controlled::HeapCopies;
use oracle::Oracle;
pub(super) use series::{Recording, record};
use single::Singles;
use slab::Slab;
use tickless_core::heap::{Handler, Summary, Word, execute};
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
    oracle.finish_fold(summary.clock)?;
    let mut outcome = oracle.outcome(summary.clock);
    if let (Some(series), Some(step), true) = (&mut outcome.series, model.series_step(), mode.keeps()) {
        series.fill(times(step, model.until()));
    }
    Ok(ended(End { outcome, state }, completions, &summary, setup))
}

/// A replication whose visits are passed on when they end.
struct Recorded<'a, F> {
    oracle: Oracle<'a>,
    take: F,
}

impl<F: FnMut(&Visit)> Handler for Recorded<'_, F> {
    type Error = QueueingError;

    fn next(&mut self) -> Time {
        self.oracle.next()
    }

    fn handle(&mut self, now: Time) -> Result<u64, QueueingError> {
        let count = self.oracle.handle(now);
        self.oracle.ended_visits().for_each(|visit| (self.take)(&visit));
        count
    }

    fn stands_still(&self) -> Option<QueueingError> {
        self.oracle.stands_still()
    }
}

/// Runs one replication and passes on its visits.
///
/// # Errors
/// As any run.
pub(super) fn visits(
    model: &NetworkModel,
    replication: u32,
    mut take: impl FnMut(&Visit),
    watch: &mut dyn Watch,
) -> Result<Run<NetworkOutcome>, QueueingError> {
    let begin = Instant::now();
    memory::room_of(Oracle::bytes(model), "the stations and tokens")?;
    let model = if model.torus().is_some() { model.in_lists()? } else { Cow::Borrowed(model) };
    let mut oracle = Oracle::new(&model, model.key(replication), None);
    oracle.record();
    oracle.begin(&mut Asking::new(watch))?;
    let setup = begin.elapsed();
    let mut recorded = Recorded { oracle, take: &mut take };
    let Summary { events, clock, interrupted, wall } = execute(&mut recorded, model.until(), watch)?;
    let mut oracle = recorded.oracle;
    oracle.finish_visits().iter().for_each(take);
    oracle.finish_fold(clock)?;
    let outcome = oracle.outcome(clock);
    Ok(Run { events, wall, setup, interrupted, ..Run::at(clock, outcome, (), Some(1)) })
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
    Run { events, wall, setup, interrupted, ..Run::at(clock, outcome, details, Some(1)) }
}

/// Bytes of a station and of a token in the records of a replication that has ended.
const KEPT_OF_STATION: u64 = 96;
const KEPT_OF_TOKEN: u64 = 8;

/// The replications of one network, in order: those that have ended, or the first of all as far as it has come.
pub(super) type OfMember = Run<Vec<End>, NetworkDetails>;

/// Runs the replications of all networks side by side on the cores, from what is in the network of each. `take` gets the place of a network
/// and its replications, one network after the other.
///
/// # Errors
/// The first error of a network, with its number; where the watch ends the run before any replication, too.
pub(super) fn run(
    members: &[Member<'_>],
    mode: RunMode<'_, [State]>,
    most_cores: Option<NonZeroUsize>,
    take: &mut dyn FnMut(usize, OfMember),
    watch: &mut dyn Watch,
) -> Result<(), MemberError> {
    let begin = Instant::now();
    let lists = members.iter().enumerate().map(|(member, (model, _))| {
        let is_small = model.torus().is_some_and(|torus| torus.stations() <= FEW) && model.tokens() > 0;
        let lists = if is_small { model.in_lists() } else { Ok(Cow::Borrowed(*model)) };
        lists.map_err(|error| MemberError::new(member, error))
    });
    let lists: Vec<_> = lists.collect::<Result<_, _>>()?;
    let listing = begin.elapsed();
    let lengths = members.iter().map(|(_, numbers)| numbers.len());
    let ends: Vec<usize> = lengths.scan(0, |end, length| Some(*end + length).inspect(|all| *end = *all)).collect();
    let count = ends.last().copied().unwrap_or(0);
    let left = |(model, numbers): &Member<'_>| {
        let outcome = KEPT_OF_STATION * u64::from(model.stations()) + KEPT_OF_TOKEN * u64::from(model.tokens());
        (outcome + 8 * (model.noted() + Folded::words(model))).saturating_mul(numbers.len() as u64)
    };
    let each = lists.iter().map(|model| bytes(model)).max().unwrap_or(0);
    let threads = cores(most_cores, count, 2 * each, members.iter().map(left).max().unwrap_or(0));
    let simulate = |task: u32, watch: &mut dyn Watch| {
        let member = member_of(&ends, task as usize);
        let numbers = &members[member].1;
        let number = numbers.end - (ends[member] - task as usize) as u32;
        let from = mode.from.and_then(|states| states.get(task as usize));
        let run = simulate(&lists[member], number, RunMode { from, wanted: mode.wanted }, watch);
        run.map_err(|error| MemberError::new(member, error.of_replication(number, numbers)))
    };
    let begin = Instant::now();
    let mut given = Given { ends: &ends, threads, begin, listing, count: 0, run: None, take };
    if count == 1 {
        let _ = given.add(0, simulate(0, watch))?;
    } else {
        let until = members.iter().map(|(model, _)| model.until()).max().unwrap_or(Time::ZERO);
        let tasks =
            u32::try_from(count).map_err(|_| MemberError::of_all(QueueingError::Several { count: count as u64 }))?;
        replications(tasks, threads, until, simulate, |task, run| given.add(task, run), watch)?;
    }
    if given.count == 0 && count > 0 {
        return Err(MemberError::of_all(Interrupted));
    }
    given.pass_on(true);
    Ok(())
}

/// The network of a replication, counted from the first of all.
fn member_of(ends: &[usize], task: usize) -> usize {
    ends.partition_point(|end| *end <= task)
}

/// The replications that have come so far, in order.
struct Given<'a> {
    /// The number behind the last replication of each network, counted from the first of all.
    ends: &'a [usize],
    threads: usize,
    /// When the replications of the network began.
    begin: Instant,
    /// The time for the lists of all networks.
    listing: Duration,
    count: usize,
    /// The replications of the network.
    run: Option<OfMember>,
    take: &'a mut dyn FnMut(usize, OfMember),
}

impl Given<'_> {
    /// Adds a replication: an interrupted one only where it is the first of all.
    fn add(
        &mut self,
        task: u32,
        run: Result<Run<End, NetworkDetails>, MemberError>,
    ) -> Result<ControlFlow<()>, MemberError> {
        let run = match run {
            Err(error) if task > 0 && error.error.is_interrupted() => return Ok(ControlFlow::Break(())),
            run => run?,
        };
        let interrupted = run.interrupted;
        if interrupted && task > 0 {
            return Ok(ControlFlow::Break(()));
        }
        self.count += 1;
        match &mut self.run {
            None => self.run = Some(run.map(|end| vec![end])),
            Some(all) => {
                all.events += run.events;
                all.details.completions += run.details.completions;
                all.outcome.push(run.outcome);
            }
        }
        if self.ends.binary_search(&self.count).is_ok() {
            self.pass_on(false);
        }
        Ok(if interrupted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Passes on the replications of a network, of which some may be missing.
    fn pass_on(&mut self, lacks_some: bool) {
        let Some(mut run) = self.run.take() else { return };
        run.interrupted |= lacks_some;
        run.threads = Some(self.threads);
        if self.ends.last() != Some(&1) {
            (run.wall, run.setup) = (self.begin.elapsed(), Duration::ZERO);
            self.begin = Instant::now();
        }
        run.setup += std::mem::take(&mut self.listing);
        (self.take)(member_of(self.ends, self.count - 1), run);
    }
}

/// The model allows only horizons from which no time can pass the range.
#[inline]
fn later(time: Time, span: Time) -> Time {
    Time::from_ticks(time.ticks() + span.ticks())
}
