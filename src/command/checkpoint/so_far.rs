//! What all parts of a run have counted together.

use std::time::Duration;

use super::Resumable;
use super::file::Head;
use tickless_core::run::Run;

/// What a run has counted in all its parts, and what only runs of its model count.
#[derive(Clone, Debug, Default)]
pub struct SoFar<K> {
    pub events: u64,
    pub rounds: Option<u64>,
    pub wall: Duration,
    setup: Duration,
    device: Option<Duration>,
    pub counts: K,
}

/// Sums of what some parts count and others do not.
fn sum<T: std::ops::Add<Output = T>>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one + other),
        (one, other) => one.or(other),
    }
}

impl<K> SoFar<K> {
    /// What the head of a checkpoint says.
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

    /// Takes in a part, which then says what all have counted. What a part does not count is left out.
    pub fn add<C: Resumable<Counts = K>, O>(&mut self, run: &mut Run<O, C::Details>) {
        C::count(&mut self.counts, run.rounds.unwrap_or_default(), &mut run.details);
        if self.events > 0 {
            // They count from the beginning of the part.
            run.moments.clear();
        }
        self.events += run.events;
        (self.rounds, self.device) = (sum(self.rounds, run.rounds), sum(self.device, run.device));
        (self.wall, self.setup) = (self.wall + run.wall, self.setup + run.setup);
        (run.events, run.rounds, run.device) = (self.events, self.rounds, self.device);
        (run.wall, run.setup) = (self.wall, self.setup);
    }
}
