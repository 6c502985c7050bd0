//! What every backend gives back of a network.

use std::time::Duration;

use super::NetworkOutcome;
use crate::run::Appointments;
use crate::time::Time;

/// A finished or interrupted run: of one network, or with `Vec<NetworkOutcome>` of several replications of it.
#[derive(Clone, Debug)]
pub struct NetworkRun<T = NetworkOutcome> {
    /// The records.
    pub outcome: T,
    /// Ends of services and tokens from sources, the warm-up included.
    pub events: u64,
    /// Ends of services, the warm-up included.
    pub completions: u64,
    /// Rounds, where the backend works in rounds.
    pub rounds: Option<u64>,
    /// What appointments say of themselves, where it made any.
    pub appointments: Option<Appointments>,
    /// Every event before this time has happened.
    pub clock: Time,
    /// From the first event to the last.
    pub wall: Duration,
    /// Time that the device itself was busy with rounds, where it can tell.
    pub device: Option<Duration>,
    /// Everything before: buffers, kernels, the state at time 0.
    pub setup: Duration,
    /// Whether the watch ended it before the horizon.
    pub interrupted: bool,
}

impl<T> NetworkRun<T> {
    /// The same run with other records.
    pub(super) fn with<U>(self, change: impl FnOnce(T) -> U) -> NetworkRun<U> {
        let Self { outcome, events, completions, rounds, appointments, clock, wall, device, setup, interrupted } = self;
        let outcome = change(outcome);
        NetworkRun { outcome, events, completions, rounds, appointments, clock, wall, device, setup, interrupted }
    }
}
