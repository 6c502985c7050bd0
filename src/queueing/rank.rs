//! One rank of a network over several ranks: the work common to all simulators.

use std::time::Instant;

use super::checkpoint::{self, End, OfRank, OnTheWay, State};
use super::partition::Partition;
use super::share::Share;
use super::{NetworkDetails, NetworkModel, NetworkOutcome, QueueingError, parts};
use tickless_core::random::StreamKey;
use tickless_core::ranks::{Failure, Part, Transport, agree, tally, windows};
use tickless_core::run::{Run, Wanted, Watch};
use tickless_core::time::Time;

/// The running stations of a rank.
pub(super) trait Stations: Part<Error = QueueingError> {
    /// Ends of services, and their sum with tokens from sources, among so many events of its list.
    fn counts(&self, events: u64) -> [u64; 2];

    /// The state of the stations, and the tokens between stations, at the clock.
    ///
    /// # Errors
    /// Too little memory.
    fn state(&mut self, key: StreamKey, clock: Time) -> Result<(State, Vec<OnTheWay>), QueueingError>;

    /// The records at the clock.
    fn outcome(self, clock: Time) -> NetworkOutcome;
}

/// The network, and the results asked for.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) model: &'a NetworkModel,
    pub(super) cut: &'a Partition,
    pub(super) replication: u32,
    /// The state from which the run begins, if not at time 0.
    pub(super) from: Option<&'a State>,
    pub(super) wanted: Wanted,
}

/// The part of a rank.
#[derive(Clone, Copy)]
pub(super) struct Rank<'a> {
    pub(super) asked: Asked<'a>,
    pub(super) share: &'a Share,
    pub(super) begun: Instant,
}

impl Rank<'_> {
    /// The state of this rank at a checkpoint.
    pub(super) fn from(&self) -> Option<OfRank> {
        self.asked.from.map(|state| OfRank::new(state, self.share))
    }

    /// The key of the streams of the run.
    pub(super) fn key(&self) -> StreamKey {
        self.asked.model.key(self.asked.replication)
    }

    /// Starts its stations and runs them with those of the other ranks.
    pub(super) fn run<S: Stations>(
        self,
        begin: impl FnOnce(&mut dyn Watch) -> Result<S, QueueingError>,
        transport: &mut dyn Transport,
        watch: &mut dyn Watch,
    ) -> Result<Option<Run<End, NetworkDetails>>, Failure<QueueingError>> {
        let Asked { model, cut, wanted, .. } = self.asked;
        let stations = begin(watch);
        let mut stations = agree(transport, stations)?;
        let setup = self.begun.elapsed();
        let summary = windows::run(&mut stations, [model.warmup(), model.until()], transport, watch)?;
        let [completions, events] = tally(transport, stations.counts(summary.events))?;
        let state = match wanted {
            Wanted::Checkpoint if summary.interrupted => {
                let own = stations.state(self.key(), summary.clock);
                checkpoint::gather((model, cut), own, transport)?
            }
            _ => None,
        };
        let own = stations.outcome(summary.clock);
        let outcome = parts::gather(model, cut, own, &self.share.numbers, wanted == Wanted::Figures, transport)?;
        let windows::Summary { rounds, clock, interrupted, wall, .. } = summary;
        let details = NetworkDetails { completions, appointments: None };
        Ok(outcome.map(|outcome| {
            let end = End { outcome, state };
            Run { events, rounds: Some(rounds), wall, setup, interrupted, ..Run::at(clock, end, details, None) }
        }))
    }
}
