//! Replications of several networks in one run, as an experiment has them.

use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

use super::{NetworkModel, NetworkOptions, NetworkOutcome, QueueingError, gpu, reference};
use crate::device::{Device, Target};
use crate::run::{Pause, Progress, Run, Watch};
use crate::time::Time;

/// A network, and which of its replications run.
pub type Lot<'a> = (&'a NetworkModel, Range<u32>);

/// Gets the place of a network and the records of all its replications, in any order of the networks.
pub type Take<'a> = dyn FnMut(usize, Vec<NetworkOutcome>) + 'a;

/// What ended a run of several networks.
///
/// ```
/// use tickless::{device::Target, queueing::{Network, Station, run_several}, run::unwatched};
/// let mut network = Network::new();
/// let desk = network.station(Station::new("desk", "constant:2".parse()?).tokens(1));
/// network.route(desk, desk, 1.0, 0.0);
/// let model = network.check()?;
/// let error = run_several(&[(&model, 0..1), (&model, 0..0)], Target::Heap, Default::default(), &mut |_, _| (), &mut unwatched());
/// assert_eq!(error.unwrap_err().lot, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[error("network {lot}: {error}")]
pub struct LotError {
    /// The place of the network.
    pub lot: usize,
    /// What was wrong with it.
    pub error: Box<QueueingError>,
}

impl LotError {
    pub(super) fn new(lot: usize, error: impl Into<QueueingError>) -> Self {
        Self { lot, error: Box::new(error.into()) }
    }

    /// Of what is wrong with all, said of the first.
    pub(super) fn of_all(error: impl Into<QueueingError>) -> Self {
        Self::new(0, error)
    }
}

/// Runs replications of several networks: on the heap those of all networks side by side on the cores, on a device one network after
/// the other, or all at once where they run event by event and differ in numbers alone. Each gives what [`super::run`] gives of
/// it. An interruption leaves out replications that have not ended: of one network on the heap there may be the first ones alone.
///
/// # Errors
/// As [`super::run`], with the number of the network.
///
/// ```
/// use tickless::{device::Target, queueing::{Network, Station, run_several}, run::unwatched};
/// let with = |tokens| -> Result<_, Box<dyn std::error::Error>> {
///     let mut network = Network::new().until(10.0);
///     let desk = network.station(Station::new("desk", "constant:2".parse()?).tokens(tokens));
///     network.route(desk, desk, 1.0, 0.0);
///     Ok(network.check()?)
/// };
/// let models = [with(1)?, with(2)?];
/// let mut present = vec![];
/// let mut take = |_: usize, outcomes: Vec<_>| present.push(outcomes.len());
/// let lots: Vec<_> = models.iter().map(|model| (model, 0..3)).collect();
/// let run = run_several(&lots, Target::Heap, Default::default(), &mut take, &mut unwatched())?;
/// assert_eq!((run.events, present), (24, vec![3, 3]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_several(
    lots: &[Lot<'_>],
    target: Target<'_>,
    options: NetworkOptions,
    take: &mut Take<'_>,
    watch: &mut dyn Watch,
) -> Result<Run<()>, LotError> {
    if let Some(empty) = lots.iter().position(|(_, numbers)| numbers.is_empty()) {
        return Err(LotError::new(empty, QueueingError::NoReplication));
    }
    match target {
        Target::Device(device) => on_device(lots, device, &options, take, watch),
        Target::Heap | Target::HeapOn(_) => reference::run_several(lots, target.most_cores(), take, watch),
    }
}

fn on_device(
    lots: &[Lot<'_>],
    device: &dyn Device,
    options: &NetworkOptions,
    take: &mut Take<'_>,
    watch: &mut dyn Watch,
) -> Result<Run<()>, LotError> {
    let until = lots.iter().map(|(model, _)| model.until()).max().unwrap_or(Time::ZERO);
    let (begin, mut all) = (Instant::now(), Run::nothing(until, None, true));
    let (groups, mut done) = (groups(lots, options), 0);
    for group in &groups {
        let members: Vec<Lot<'_>> = group.iter().map(|place| lots[*place].clone()).collect();
        if done > 0 && watch.pause(Pause::BetweenReplications) {
            all.interrupted = true;
            break;
        }
        let mut watch = OfLot { watch, done, all: lots.len(), events: all.events, begin };
        let run = match gpu::run_alike(&members, device, options, &mut watch) {
            Err(LotError { error, .. }) if done > 0 && error.is_interrupted() => {
                all.interrupted = true;
                break;
            }
            run => run.map_err(|LotError { lot, error }| LotError { lot: group[lot], error })?,
        };
        done += group.len();
        all.add(&run);
        let mut outcomes = run.outcome.into_iter();
        for (place, (model, numbers)) in group.iter().zip(&members) {
            let outcomes: Vec<_> = outcomes.by_ref().take(numbers.len()).collect();
            // What an interruption has cut off ends before the horizon, or is missing.
            let has_ended = |outcome: &NetworkOutcome| outcome.stations.until == model.until();
            if run.interrupted && !(outcomes.len() == numbers.len() && outcomes.iter().all(has_ended)) {
                break;
            }
            take(*place, outcomes);
        }
        if run.interrupted {
            all.interrupted = true;
            break;
        }
    }
    Ok(all)
}

/// The most replications of networks that run together: their records all come back at once, and a checkpoint waits for them.
pub(crate) const MOST_TOGETHER: usize = 1 << 18;
/// Groups that a network may join.
const LOOKED_BACK: usize = 16;

/// The networks that run together, by their places: those that run event by event and differ in numbers alone, and any other alone.
fn groups(lots: &[Lot<'_>], options: &NetworkOptions) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = vec![];
    for (place, (model, numbers)) in lots.iter().enumerate() {
        // Networks that are alike mostly follow each other: of many that are not, all would be held against all.
        let last = groups.len().saturating_sub(LOOKED_BACK);
        let fits = |group: &&mut Vec<usize>| {
            let together: usize = group.iter().map(|member| lots[*member].1.len()).sum();
            together + numbers.len() <= MOST_TOGETHER && gpu::are_alike(&lots[group[0]], &lots[place], options)
        };
        let found =
            gpu::is_event_by_event(model, numbers.len()).then(|| groups[last..].iter_mut().find(fits)).flatten();
        match found {
            Some(group) => group.push(place),
            None => groups.push(vec![place]),
        }
    }
    groups
}

/// A watch that is told of one of several networks as of a part of all.
pub(super) struct OfLot<'a> {
    pub(super) watch: &'a mut dyn Watch,
    pub(super) done: usize,
    pub(super) all: usize,
    pub(super) events: u64,
    pub(super) begin: Instant,
}

impl Watch for OfLot<'_> {
    fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        let all = self.all as u64;
        let clock = progress.until.ticks() / all * self.done as u64 + progress.clock.ticks() / all;
        let (clock, events, elapsed) = (Time::from_ticks(clock), self.events + progress.events, self.begin.elapsed());
        self.watch.look(&Progress { clock, events, elapsed, ..*progress })
    }

    fn set_up(&mut self, elapsed: Duration) -> ControlFlow<()> {
        self.watch.set_up(elapsed)
    }

    /// What has begun on the device comes to its end.
    fn pause(&mut self, place: Pause) -> bool {
        place == Pause::BetweenReplications && self.watch.pause(place)
    }
}
