//! The counts of all parts of a run together.

use std::time::Duration;

use super::Resumable;
use super::file::Head;
use tickless_core::run::Run;

/// The counts of all parts of a run, and those of its model alone.
#[derive(Clone, Debug, Default)]
pub struct SoFar<K> {
    pub events: u64,
    pub rounds: Option<u64>,
    pub wall: Duration,
    setup: Duration,
    device: Option<Duration>,
    pub counts: K,
}

/// The sum of counts that some parts lack.
fn sum<T: std::ops::Add<Output = T>>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one + other),
        (one, other) => one.or(other),
    }
}

impl<K> SoFar<K> {
    /// From the head of a checkpoint.
    pub fn new(head: &Head, counts: K) -> Self {
        let time = |seconds| Duration::try_from_secs_f64(seconds).unwrap_or_default();
        Self {
            events: head.events,
            rounds: head.rounds,
            wall: time(head.wall_seconds),
            setup: time(head.setup_seconds),
            device: head.device_seconds.map(time),
            counts,
        }
    }

    /// Adds a part, and replaces its counts by those of all parts. Counts that a part lacks are left out.
    pub fn add<C: Resumable<Counts = K>, O>(&mut self, run: &mut Run<O, C::Details>) {
        C::count(&mut self.counts, run.rounds.unwrap_or_default(), &mut run.details);
        if self.events > 0 {
            // The moments count from the beginning of the part.
            run.moments.clear();
        }
        self.events += run.events;
        (self.rounds, self.device) = (sum(self.rounds, run.rounds), sum(self.device, run.device));
        (self.wall, self.setup) = (self.wall + run.wall, self.setup + run.setup);
        (run.events, run.rounds, run.device) = (self.events, self.rounds, self.device);
        (run.wall, run.setup) = (self.wall, self.setup);
    }
}
