//! A run of networks at its clock, from which another run resumes.

mod arrays;
mod ranks;
mod state;

use std::ops::Range;

use super::{NetworkModel, NetworkOutcome, QueueingError};
pub(crate) use ranks::{OfRank, OnTheWay, gather};
pub(crate) use state::{AtStation, Sending, Service, State, Transit, Waiting};
use tickless_core::random::{Stream, StreamKey};
use tickless_core::time::Time;

impl NetworkModel {
    /// The stream of a station after some services. Beside its place in this model stands its number in the whole network,
    /// of which this may be the part of a rank.
    pub(crate) fn stream_behind(&self, key: StreamKey, [place, number]: [u32; 2], visits: u64) -> Stream {
        key.stream_behind(number, visits * (u64::from(self.law(place).draws()) + 1))
    }

    /// The draw that says where a visit leads.
    pub(crate) fn route_of(&self, key: StreamKey, station: [u32; 2], visit: u64) -> u32 {
        let mut stream = self.stream_behind(key, station, visit);
        self.law(station[0]).service(&mut stream);
        stream.draw()
    }

    /// The stream of a source after some intervals. Its number is behind those of the stations.
    pub(crate) fn source_behind(&self, key: StreamKey, [place, number]: [u32; 2], intervals: u64) -> Stream {
        let draws = u64::from(self.inflow(place).law.draws());
        key.stream_behind(number, intervals * draws)
    }
}

/// A replication at its clock: its records, and its state; `None` where it has ended.
#[derive(Clone, Debug)]
pub struct End {
    pub(crate) outcome: NetworkOutcome,
    pub(crate) state: Option<State>,
}

/// The state of a run of networks: its first replications, each up to a clock of its own. The others have not begun. A run of a
/// [`Restartable`](tickless_core::run::Restartable) model resumes from it on any backend, with the digest of an uninterrupted run; a network of
/// classes resumes on the heap.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use std::ops::ControlFlow;
/// use tickless::{device::Target, queueing::{self, Network, Station, Topology}, run::{Progress, Restartable, unwatched}};
/// let each = Station::new("s", "exponential:10".parse()?).tokens(1);
/// let model = Network::generate(&Topology::Torus { width: 8, height: 8 }, &each, 0.0)?.check()?;
/// let mut stop = |_: &Progress| ControlFlow::Break(());
/// let restartable = |from| Restartable { model: &model, from };
/// let first = queueing::run(restartable(None), 0..1, Target::Heap, Default::default(), &mut stop)?;
/// assert!(first.interrupted);
/// let rest = restartable(Some(&first.outcome));
/// let rest = queueing::run(rest, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// let whole = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(rest.outcome.outcomes[0].digest(), whole.outcome[0].digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checkpoint {
    /// The records of the replications that have begun, up to their clocks.
    pub outcomes: Vec<NetworkOutcome>,
    /// The clock of each: every event before this time has happened. The horizon where the replication has ended.
    pub clocks: Vec<Time>,
    /// For each the state of its network, if it has not ended.
    pub(crate) states: Vec<State>,
}

impl Checkpoint {
    /// Refuses a checkpoint of another model.
    ///
    /// # Errors
    /// [`QueueingError::Checkpoint`].
    pub(super) fn check(&self, model: &NetworkModel, replications: usize) -> Result<(), QueueingError> {
        let other = |what, found: u64, expected: u64| Err(QueueingError::Checkpoint { what, found, expected });
        let (count, most) = (self.clocks.len(), replications as u64);
        if count > replications || self.outcomes.len() != count || self.states.len() != count {
            return other("replications", count as u64, most);
        }
        for ((clock, outcome), state) in self.clocks.iter().zip(&self.outcomes).zip(&self.states) {
            let stations = u64::from(model.stations());
            if outcome.stations.facilities.len() as u64 != stations {
                return other("stations", outcome.stations.facilities.len() as u64, stations);
            }
            if *clock > model.until() {
                return other("ticks before it", clock.ticks(), model.until().ticks());
            }
            if *clock == model.until() {
                continue;
            }
            state.check(model, *clock)?;
        }
        Ok(())
    }

    /// The checkpoint of one replication at its clock.
    pub(super) fn of_one(outcome: NetworkOutcome, clock: Time, state: Option<State>) -> Self {
        Self { outcomes: vec![outcome], clocks: vec![clock], states: vec![state.unwrap_or_default()] }
    }

    /// Its only replication, if that has begun.
    pub(super) fn only(&self) -> Option<(&NetworkOutcome, Time, &State)> {
        Some((self.outcomes.first()?, *self.clocks.first()?, self.states.first()?))
    }

    /// Bytes of its lists.
    pub(crate) fn bytes(&self) -> u64 {
        let outcomes: usize = self.outcomes.iter().map(NetworkOutcome::list_bytes).sum();
        (outcomes + self.states.iter().map(State::bytes).sum::<usize>()) as u64
    }

    /// The first replications that have not ended and have the same clock.
    pub(crate) fn group(&self, until: Time) -> Option<Range<usize>> {
        let start = self.clocks.iter().position(|clock| *clock < until)?;
        let alike = self.clocks[start..].iter().take_while(|clock| **clock == self.clocks[start]).count();
        Some(start..start + alike)
    }
}

#[cfg(test)]
mod tests;
