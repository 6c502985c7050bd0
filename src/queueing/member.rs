//! Several networks that run together: the networks, the receiver of their records, their error, and their watch.

use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

use super::{NetworkModel, NetworkOutcome, QueueingError};
use tickless_core::run::{Pause, Progress, Watch};
use tickless_core::time::Time;
use tickless_device::DeviceError;

/// A network, and its replications that run.
pub type Member<'a> = (&'a NetworkModel, Range<u32>);

/// Gets the place of a network and the records of all its replications, in any order of the networks.
pub type Take<'a> = dyn FnMut(usize, Vec<NetworkOutcome>) + 'a;

/// The error of a run of several networks.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::{device::Target, queueing::{self, Ensemble, Network, Station}, run::unwatched};
/// let mut network = Network::new();
/// let desk = network.station(Station::new("desk", "constant:2".parse()?).tokens(1));
/// network.route(desk, desk, 1.0, 0.0);
/// let model = network.check()?;
/// let ensemble = Ensemble { members: &[(&model, 0..1), (&model, 0..0)], take: &mut |_, _| () };
/// let error = queueing::run(ensemble, (), Target::Heap, Default::default(), &mut unwatched());
/// assert_eq!(error.unwrap_err().member, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[error("network {member}: {error}")]
pub struct MemberError {
    /// The place of the network.
    pub member: usize,
    /// The error of the network.
    pub error: Box<QueueingError>,
}

impl MemberError {
    pub(super) fn new(member: usize, error: impl Into<QueueingError>) -> Self {
        Self { member, error: Box::new(error.into()) }
    }

    /// An error of all networks, as one of the first.
    pub(super) fn of_all(error: impl Into<QueueingError>) -> Self {
        Self::new(0, error)
    }

    pub(super) fn device(&self) -> Option<&DeviceError> {
        if let QueueingError::Device(error) = &*self.error { Some(error) } else { None }
    }
}

/// A watch that sees some of several networks as a part of all.
pub(super) struct OfMembers<'a> {
    pub(super) watch: &'a mut dyn Watch,
    pub(super) done: usize,
    pub(super) part: usize,
    pub(super) all: usize,
    pub(super) events: u64,
    pub(super) begin: Instant,
}

impl Watch for OfMembers<'_> {
    fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        let [all, done, part] = [self.all, self.done, self.part].map(|count| count as u128);
        let [until, clock] = [progress.until, progress.clock].map(|time| u128::from(time.ticks()));
        let clock = Time::from_ticks(((until * done + clock * part) / all) as u64);
        let (events, elapsed) = (self.events + progress.events, self.begin.elapsed());
        self.watch.look(&Progress { clock, events, elapsed, ..*progress })
    }

    fn set_up(&mut self, elapsed: Duration) -> ControlFlow<()> {
        self.watch.set_up(elapsed)
    }

    /// Work that has begun on the device comes to its end.
    fn pause(&mut self, place: Pause) -> bool {
        place == Pause::BetweenReplications && self.watch.pause(place)
    }
}
