//! What every backend gives back of logical processes.

use std::time::Duration;

use super::Outcome;
use crate::time::Time;

/// A finished or interrupted run of logical processes.
///
/// ```
/// use tickless::processes::{Phold, reference};
/// let run = reference::simulate(&Phold::new(100).until(20.0).check()?, &mut tickless::run::unwatched())?;
/// assert_eq!(run.events, run.outcome.statistics().executed);
/// assert!(run.remote_share().unwrap() > 0.9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ProcessRun {
    /// The record of every process.
    pub outcome: Outcome,
    /// Events executed.
    pub events: u64,
    /// Messages that they sent to another process than their own; where the backend counts them.
    pub remote: Option<u64>,
    /// Rounds, where the backend works in rounds.
    pub rounds: Option<u64>,
    /// Every event before this time has happened: the horizon, or where an interruption came.
    pub clock: Time,
    /// From the first event to the last.
    pub wall: Duration,
    /// Time that the device itself was busy with rounds, where it can tell.
    pub device: Option<Duration>,
    /// Everything before: buffers, kernels, the state at time 0.
    pub setup: Duration,
    /// What each kernel of a round took, where the device was opened to time them; else empty.
    pub timings: Vec<crate::device::KernelTime>,
    /// How pending events were kept, on a device.
    pub pending: Option<super::gpu::PendingReport>,
    /// Whether a [`Watch`](crate::run::Watch) ended it before the horizon.
    pub interrupted: bool,
}

impl ProcessRun {
    /// Events per second of [`Self::wall`].
    pub fn events_per_second(&self) -> f64 {
        self.events as f64 / self.wall.as_secs_f64().max(1e-9)
    }

    /// The messages to another process than their sender's by the events executed; `None` where the backend does not
    /// count them. Where every event sends one message, as in PHOLD, it is the share of those.
    pub fn remote_share(&self) -> Option<f64> {
        self.remote.map(|remote| remote as f64 / self.events.max(1) as f64)
    }
}
