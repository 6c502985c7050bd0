//! Replications of several networks in one run, as an experiment has them.

use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

use super::{NetworkModel, NetworkOptions, NetworkOutcome, QueueingError, gpu, reference};
use crate::device::{Device, Target};
use crate::run::{Pause, Progress, Run, Watch};
use crate::time::Time;

/// A network, and which of its replications run.
pub type Lot<'a> = (&'a NetworkModel, Range<u32>);

/// Gets the number of a lot and the records of all its replications, in the order of the lots, with the events in them.
pub type Take<'a> = dyn FnMut(usize, Vec<NetworkOutcome>, u64) + 'a;

/// What ended a run of several networks.
///
/// ```
/// use tickless::{device::Target, queueing::{Network, Station, run_several}, run::unwatched};
/// let mut network = Network::new();
/// let desk = network.station(Station::new("desk", "constant:2".parse()?).tokens(1));
/// network.route(desk, desk, 1.0, 0.0);
/// let model = network.check()?;
/// let error = run_several(&[(&model, 0..1), (&model, 0..0)], Target::Heap, Default::default(), &mut |_, _, _| (), &mut unwatched());
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
    pub(super) fn new(lot: usize, error: QueueingError) -> Self {
        Self { lot, error: Box::new(error) }
    }
}

/// Runs replications of several networks: on the heap those of all networks side by side on the cores, on a device one network after
/// the other, or all at once where they run event by event and differ in numbers alone. Each gives what [`super::run`] gives of
/// it. An interruption leaves out the first network that has not ended and those behind it.
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
/// let mut take = |_: usize, outcomes: Vec<_>, _| present.push(outcomes.len());
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

/// The run of nothing, which others are added to.
pub(super) fn nothing(clock: Time, threads: Option<usize>, is_device: bool) -> Run<()> {
    Run {
        outcome: (),
        events: 0,
        rounds: is_device.then_some(0),
        clock,
        wall: Duration::ZERO,
        device: is_device.then_some(Duration::ZERO),
        setup: Duration::ZERO,
        timings: vec![],
        interrupted: false,
        threads,
        details: (),
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
    let (begin, mut all) = (Instant::now(), nothing(until, None, true));
    for (number, (model, numbers)) in lots.iter().enumerate() {
        let mut watch = OfLot { watch, done: number, all: lots.len(), events: all.events, begin };
        let run = match gpu::run(model, numbers.clone(), device, options, &mut watch) {
            Err(error) if number > 0 && error.is_interrupted() => {
                all.interrupted = true;
                break;
            }
            run => run.map_err(|error| LotError::new(number, error))?,
        };
        all.add(&run);
        if run.interrupted {
            all.interrupted = true;
            break;
        }
        let events = run.events;
        take(number, run.outcome, events);
    }
    Ok(all)
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

    fn pause(&mut self, place: Pause) -> bool {
        self.watch.pause(place)
    }
}
