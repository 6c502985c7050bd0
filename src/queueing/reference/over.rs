//! A network over ranks, of which this is one.

use std::time::Instant;

use super::border::Border;
use super::bytes;
use super::general::Simulation;
use super::single::Singles;
use crate::heap::Word;
use crate::memory::{self, NoMemory};
use crate::queueing::checkpoint::{self, End, OfRank, OnTheWay, State};
use crate::queueing::cut::Cut;
use crate::queueing::parts;
use crate::queueing::share::Share;
use crate::queueing::{NetworkDetails, NetworkModel, NetworkOutcome, QueueingError};
use crate::random::StreamKey;
use crate::ranks::{Failure, Part, Transport, agree, tally, windows};
use crate::run::{Asking, Interrupted, Run, Watch};
use crate::time::Time;

/// A simulator of some stations.
trait Stations: Part<Error = QueueingError> {
    /// Places the tokens and starts the sources.
    fn begin(&mut self, asking: &mut Asking<'_>) -> Result<(), Interrupted>;

    /// Takes over what there is of this rank at a checkpoint, in place of what there is at time 0.
    fn go_on(&mut self, own: &OfRank, key: StreamKey);

    /// What is at the stations, and the tokens between stations, at a time.
    fn state(&self, key: StreamKey, at: Time) -> Result<(State, Vec<OnTheWay>), NoMemory>;

    /// Ends of services, and these and tokens from sources together, of so many events of its list.
    fn counts(&self, events: u64) -> [u64; 2];

    /// The records at a time.
    fn outcome(self, clock: Time) -> Result<NetworkOutcome, QueueingError>;
}

impl<W: Word> Stations for Singles<'_, W> {
    fn begin(&mut self, asking: &mut Asking<'_>) -> Result<(), Interrupted> {
        Singles::begin(self, asking)
    }

    fn go_on(&mut self, own: &OfRank, key: StreamKey) {
        self.go_on_from_own(own, key);
    }

    fn state(&self, key: StreamKey, at: Time) -> Result<(State, Vec<OnTheWay>), NoMemory> {
        Ok((Singles::state(self, key)?, self.on_their_way(at)))
    }

    fn counts(&self, _: u64) -> [u64; 2] {
        [self.completions(), self.completions() + self.sent()]
    }

    fn outcome(self, clock: Time) -> Result<NetworkOutcome, QueueingError> {
        Singles::outcome(self, clock)
    }
}

impl Stations for Simulation<'_> {
    fn begin(&mut self, asking: &mut Asking<'_>) -> Result<(), Interrupted> {
        Simulation::begin(self, asking)
    }

    fn go_on(&mut self, own: &OfRank, key: StreamKey) {
        self.go_on_from_own(own, key);
    }

    fn state(&self, _: StreamKey, at: Time) -> Result<(State, Vec<OnTheWay>), NoMemory> {
        Ok((Simulation::state(self)?, self.on_their_way(at)))
    }

    fn counts(&self, events: u64) -> [u64; 2] {
        [self.completions(), events - self.transits_ended()]
    }

    fn outcome(self, clock: Time) -> Result<NetworkOutcome, QueueingError> {
        Simulation::outcome(self, clock)
    }
}

/// What is simulated, and what of it is wanted.
#[derive(Clone, Copy)]
pub(in crate::queueing) struct Asked<'a> {
    pub(in crate::queueing) model: &'a NetworkModel,
    pub(in crate::queueing) cut: &'a Cut,
    pub(in crate::queueing) replication: u32,
    /// What is in the network where the run does not begin at time 0.
    pub(in crate::queueing) from: Option<&'a State>,
    pub(in crate::queueing) wanted: Wanted,
}

/// What a run over ranks gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::queueing) enum Wanted {
    /// What all records add up to.
    Figures,
    /// The records.
    Records,
    /// These, and what another run goes on from.
    Checkpoint,
}

/// Runs a replication over ranks; what there is at the end, on rank 0.
pub(in crate::queueing) fn simulate(
    asked: Asked<'_>,
    transport: &mut dyn Transport,
    watch: &mut dyn Watch,
) -> Result<Option<Run<End, NetworkDetails>>, Failure<QueueingError>> {
    let begin = Instant::now();
    let Asked { model, cut, replication, .. } = asked;
    let (ranks, key) = (transport.ranks(), model.key(replication));
    let share = Share::new(model, cut, transport.rank()).and_then(|share| {
        memory::room_of(bytes(&share.model), "the stations and tokens of a rank")?;
        Ok(share)
    });
    let share = agree(transport, share.map_err(QueueingError::from))?;
    let own = &share.model;
    let border = || Some(Border::new(&share, ranks)).filter(|_| ranks > 1);
    // Every rank for itself: what they tell each other is the same.
    if Singles::<u64>::takes(own, ranks > 1) {
        let singles = Singles::<u64>::new(own, key, border());
        return simulate_in(asked, singles, (&share, begin), transport, watch);
    }
    if Singles::<u128>::takes(own, ranks > 1) {
        let singles = Singles::<u128>::new(own, key, border());
        return simulate_in(asked, singles, (&share, begin), transport, watch);
    }
    simulate_in(asked, Simulation::new(own, key, border()), (&share, begin), transport, watch)
}

fn simulate_in(
    Asked { model, cut, replication, from, wanted }: Asked<'_>,
    mut stations: impl Stations,
    (share, begin): (&Share, Instant),
    transport: &mut dyn Transport,
    watch: &mut dyn Watch,
) -> Result<Option<Run<End, NetworkDetails>>, Failure<QueueingError>> {
    let key = model.key(replication);
    let begun = match from {
        None => stations.begin(&mut Asking::new(watch)).map_err(QueueingError::from),
        Some(state) => {
            stations.go_on(&OfRank::new(state, share), key);
            Ok(())
        }
    };
    agree(transport, begun)?;
    let setup = begin.elapsed();
    let summary = windows::run(&mut stations, [model.warmup(), model.until()], transport, watch)?;
    let [completions, events] = tally(transport, stations.counts(summary.events))?;
    let state = match wanted {
        Wanted::Checkpoint if summary.interrupted => {
            let own = stations.state(key, summary.clock).map_err(QueueingError::from);
            checkpoint::gather((model, cut), own, transport)?
        }
        _ => None,
    };
    let own = stations.outcome(summary.clock);
    let own = agree(transport, own)?;
    let outcome = parts::gather(model, cut, own, &share.numbers, wanted == Wanted::Figures, transport)?;
    Ok(outcome.map(|outcome| Run {
        outcome: End { outcome, state },
        events,
        rounds: Some(summary.rounds),
        clock: summary.clock,
        wall: summary.wall,
        device: None,
        setup,
        timings: Vec::new(),
        interrupted: summary.interrupted,
        threads: None,
        details: NetworkDetails { completions, appointments: None },
    }))
}

#[cfg(test)]
mod tests;
