//! Results from the records at a time before which every arrival has been decided.
//!
//! A visit is decided when its token arrives, so the sums of a station run ahead: for a token that is still there, the
//! part of its visit after this time is known.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::records::{FAULT_SERVICE, FAULT_STAYS, FAULT_VISITS, FAULT_WAITING, NONE, Station, Token};
use crate::QueueingError;
use crate::checkpoint::{self, Service, Waiting};
use tickless_core::memory;
use tickless_core::statistics::{FacilityRecord, Outcome};
use tickless_core::time::Time;
use tickless_engine::Control;

/// The whole state on the device.
pub(crate) struct State {
    /// The time of the state.
    pub(crate) time: Time,
    pub(crate) stations: Vec<Decided>,
    pub(crate) tokens: Vec<Token>,
    /// When each token leaves the station of its last visit.
    pub(crate) departures: Vec<u64>,
    /// Where the tokens of a station begin in `present`.
    first: Vec<u32>,
    /// The tokens at each station, in the order of their arrival.
    present: Vec<u32>,
}

/// Where a token is, according to its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whereabouts {
    /// A slot that holds no token.
    Nowhere,
    /// It waits, and its service does not start before the end of the run.
    Queue,
    /// Its last visit is decided.
    Visit,
}

impl Whereabouts {
    /// From its record and the time of its event.
    pub(crate) fn of(token: &Token, event: u64) -> Self {
        match (token.station, token.start, event) {
            (NONE, _, _) => Self::Nowhere,
            (_, u64::MAX, _) => Self::Queue,
            (_, _, u64::MAX) => Self::Nowhere,
            _ => Self::Visit,
        }
    }
}

/// The decided visits of a station; sums in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decided {
    pub(super) service: u128,
    pub(super) waiting: u128,
    /// Visits whose services start before the end of the run.
    pub(super) started: u64,
    pub(super) losses: u64,
}

/// The totals of a station up to some time; sums in ticks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Totals {
    arrivals: u64,
    starts: u64,
    pub(crate) completions: u64,
    pub(crate) losses: u64,
    busy: u128,
    waiting: u128,
    service: u128,
    presence: u128,
}

/// The fault word of the model's kernels as an error.
///
/// # Errors
/// [`QueueingError::Overflow`] of one of `each` stations.
pub(crate) fn fault(control: &Control, each: u32) -> Result<(), QueueingError> {
    let faults = [
        (FAULT_VISITS, "number of completions"),
        (FAULT_SERVICE, "sum of service times"),
        (FAULT_WAITING, "sum of waiting times"),
        (FAULT_STAYS, "number of tokens that left by a sink after a time of one bin"),
    ];
    match faults.into_iter().find(|(bit, _)| control.fault & bit != 0) {
        None => Ok(()),
        Some((_, sum)) => Err(QueueingError::Overflow { sum, facility: control.fault_entity % each }),
    }
}

/// Bytes of the intermediate results from the records of so many stations and tokens, up to an outcome.
pub(crate) fn made_of(stations: u32, tokens: u32) -> u64 {
    440 * u64::from(stations) + 56 * u64::from(tokens)
}

impl State {
    /// From the records of a network. `departs` gives the time at which the token in some place left the station of its
    /// last visit, from its next arrival.
    pub(crate) fn of_network(
        time: Time,
        stations: &[Station],
        tokens: Vec<Token>,
        arrivals: Vec<u64>,
        departs: impl Fn(usize, &Token, u64) -> u64 + Sync,
    ) -> Result<Self, QueueingError> {
        // Tokens whose service does not start are counted among the visits.
        let waits = |token: &&Token| token.station != NONE && token.start == u64::MAX;
        let queues = counts(stations.len(), tokens.par_iter().filter(waits).map(|token| token.station as usize));
        let decided = |(station, queue): (&Station, &u64)| Decided {
            service: u128::from(station.service_top) << 64 | u128::from(station.service),
            waiting: u128::from(station.waiting_top) << 64 | u128::from(station.waiting),
            started: u64::from(station.visits) - queue,
            losses: station.losses.into(),
        };
        let decided = stations.par_iter().zip(&queues).map(decided).collect();
        Self::new(time, decided, tokens, arrivals, departs)
    }

    /// From the records of a topology.
    pub(super) fn new(
        time: Time,
        stations: Vec<Decided>,
        tokens: Vec<Token>,
        mut arrivals: Vec<u64>,
        departs: impl Fn(usize, &Token, u64) -> u64 + Sync,
    ) -> Result<Self, QueueingError> {
        // The results from them up to the outcome are made on all cores.
        memory::room_of(made_of(stations.len() as u32, tokens.len() as u32), "the records of the stations")?;
        let is_present = |place: usize| match Whereabouts::of(&tokens[place], arrivals[place]) {
            Whereabouts::Nowhere => false,
            Whereabouts::Queue => true,
            Whereabouts::Visit => departs(place, &tokens[place], arrivals[place]) >= time.ticks(),
        };
        // Where there are no tokens, the buffer still holds a record.
        let count = arrivals.len().min(tokens.len());
        let places: Vec<u32> = (0..count as u32).into_par_iter().filter(|place| is_present(*place as usize)).collect();
        let (first, present) = by_station(stations.len(), &tokens, &places);
        // From here on these are the tokens' departures.
        arrivals.truncate(count);
        arrivals.par_iter_mut().zip(&tokens).enumerate().for_each(|(place, (time, token))| {
            if Whereabouts::of(token, *time) == Whereabouts::Visit {
                *time = departs(place, token, *time);
            }
        });
        Ok(Self { time, stations, tokens, departures: arrivals, first, present })
    }

    /// The tokens whose last visit is decided, with their departure.
    pub(crate) fn visits(&self) -> impl ParallelIterator<Item = (usize, &Token, u64)> {
        let tokens = self.tokens.par_iter().zip(&self.departures).enumerate();
        let decided = tokens.filter(|(_, (token, time))| Whereabouts::of(token, **time) == Whereabouts::Visit);
        decided.map(|(place, (token, time))| (place, token, *time))
    }

    fn present(&self, station: usize) -> impl Iterator<Item = (&Token, u64)> + Clone {
        let range = self.first[station] as usize..self.first[station + 1] as usize;
        self.present[range].iter().map(|place| (&self.tokens[*place as usize], self.departures[*place as usize]))
    }

    /// The tokens at a station whose services are decided and start later, with their departures.
    pub(crate) fn not_started(&self, station: usize) -> impl Iterator<Item = (&Token, u64)> {
        self.present(station).filter(|(token, _)| token.start >= self.time.ticks() && token.start != u64::MAX)
    }

    /// The arrival times of the tokens that wait, in order.
    fn queue(&self, station: usize) -> impl Iterator<Item = Time> {
        let waiting = self.present(station).filter(|(token, _)| token.start >= self.time.ticks());
        waiting.map(|(token, _)| Time::from_ticks(token.arrived))
    }

    /// When the services in progress end, in order.
    fn services(&self, station: usize) -> Vec<Time> {
        let serving = self.present(station).filter(|(token, _)| token.start < self.time.ticks());
        let mut ends: Vec<_> = serving.map(|(_, end)| Time::from_ticks(end)).collect();
        ends.sort_unstable();
        ends
    }

    /// The states of some stations: services since time 0, services in progress and waiting tokens. `entered` gives the time at
    /// which the token in a place came from a source, `visit` the number of a service at its station, of which so many have
    /// started.
    pub(crate) fn at(
        &self,
        stations: std::ops::Range<usize>,
        totals: &[Totals],
        entered: impl Fn(usize) -> Time + Sync,
        visit: impl Fn(&Token, u64) -> u64 + Sync,
    ) -> checkpoint::State {
        // Each core has some stations, which are put together in their order.
        let parts: Vec<checkpoint::State> = stations
            .into_par_iter()
            .fold_chunks(PART, checkpoint::State::default, |mut state, station| {
                self.add_station(&mut state, station, totals[station].starts, (&entered, &visit));
                state
            })
            .collect();
        let mut all = checkpoint::State::default();
        for mut part in parts {
            all.stations.append(&mut part.stations);
            all.services.append(&mut part.services);
            all.queue.append(&mut part.queue);
        }
        all
    }

    fn add_station(
        &self,
        state: &mut checkpoint::State,
        station: usize,
        started: u64,
        (entered, visit): (&impl Fn(usize) -> Time, &impl Fn(&Token, u64) -> u64),
    ) {
        let (services, queue) = (state.services.len(), state.queue.len());
        for place in &self.present[self.first[station] as usize..self.first[station + 1] as usize] {
            let (place, token) = (*place as usize, &self.tokens[*place as usize]);
            let entered = entered(place);
            if token.start < self.time.ticks() {
                let end = Time::from_ticks(self.departures[place]);
                state.services.push(Service { visit: visit(token, started), end, entered });
            } else {
                state.queue.push(Waiting { arrived: Time::from_ticks(token.arrived), entered });
            }
        }
        let [serving, queued] = [state.services.len() - services, state.queue.len() - queue];
        state.stations.push((started, serving as u32, queued as u32));
    }

    fn total(&self, station: usize, initial: u32) -> Totals {
        let time = self.time.ticks();
        let Decided { mut service, mut waiting, started, losses } = self.stations[station];
        let mut visits = started;
        let (mut serving, mut queued, mut beyond, mut queueing) = (0, 0, 0, 0);
        for (token, end) in self.present(station) {
            if token.start < time {
                serving += 1;
                beyond += u128::from(end - time);
                continue;
            }
            queued += 1;
            queueing += u128::from(time - token.arrived);
            if token.start == u64::MAX {
                visits += 1;
            } else {
                service -= u128::from(end - token.start);
                waiting -= u128::from(token.start - token.arrived);
            }
        }
        let busy = service - beyond;
        Totals {
            arrivals: visits + losses - u64::from(initial),
            starts: visits - queued,
            completions: visits - queued - serving,
            losses,
            busy,
            waiting,
            service,
            presence: waiting + busy + queueing,
        }
    }

    /// The totals of every station; `initial` is the number of its tokens at time 0.
    pub(crate) fn totals(&self, initial: impl Fn(usize) -> u32 + Sync) -> Vec<Totals> {
        (0..self.stations.len()).into_par_iter().map(|station| self.total(station, initial(station))).collect()
    }

    /// Checks that no sum of a station passes 64 bits, from time 0 on.
    ///
    /// # Errors
    /// [`QueueingError::Overflow`].
    pub(crate) fn check(&self, initial: impl Fn(usize) -> u32 + Sync) -> Result<(), QueueingError> {
        let largest = |totals: &Totals| totals.presence.max(totals.service) > u64::MAX.into();
        match self.totals(initial).iter().position(largest) {
            None => Ok(()),
            Some(facility) => {
                let sum = "time integral of the number present";
                Err(QueueingError::Overflow { sum, facility: facility as u32 })
            }
        }
    }

    /// The records of some stations since `before`, or since time 0.
    pub(crate) fn outcome(
        &self,
        stations: std::ops::Range<usize>,
        totals: &[Totals],
        before: Option<&[Totals]>,
        warmup: Time,
    ) -> Outcome {
        let first = stations.start;
        let record = |station: usize| {
            let now = &totals[station];
            let then = before.map_or_else(Totals::default, |totals| totals[station]);
            let services = self.services(station);
            FacilityRecord {
                arrivals: now.arrivals - then.arrivals,
                starts: now.starts - then.starts,
                completions: now.completions - then.completions,
                losses: now.losses - then.losses,
                busy: now.busy - then.busy,
                waiting: now.waiting - then.waiting,
                service: now.service - then.service,
                presence: now.presence - then.presence,
                in_service: services.first().copied().unwrap_or(Time::NEVER),
                serving: services.len() as u64,
                queued: self.queue(station).count() as u64,
            }
        };
        let facilities: Vec<_> = stations.clone().into_par_iter().map(record).collect();
        let queue = stations.clone().flat_map(|station| self.queue(station)).collect();
        let several = stations.filter(|station| facilities[station - first].serving > 1);
        let services = several.flat_map(|station| self.services(station).into_iter().skip(1)).collect();
        Outcome { facilities, queue, services, from: warmup.min(self.time), until: self.time, added_up: None }
    }
}

/// Stations that a core takes at a time.
const PART: usize = 1 << 16;

/// Up to so many numbers each core counts for itself: with a few numbers it would wait for the others.
const OWN_COUNTS: usize = 1 << 10;

/// How often each number below `most` occurs, counted on all cores.
pub(crate) fn counts(most: usize, numbers: impl ParallelIterator<Item = usize>) -> Vec<u64> {
    if most <= OWN_COUNTS {
        let count = |mut counts: Vec<u64>, number: usize| {
            counts[number] += 1;
            counts
        };
        let add = |mut all: Vec<u64>, more: Vec<u64>| {
            all.iter_mut().zip(more).for_each(|(count, more)| *count += more);
            all
        };
        return numbers.fold(|| vec![0; most], count).reduce(|| vec![0; most], add);
    }
    let counts: Vec<AtomicU64> = (0..most).into_par_iter().map(|_| AtomicU64::new(0)).collect();
    numbers.for_each(|number| {
        counts[number].fetch_add(1, Ordering::Relaxed);
    });
    counts.into_par_iter().map(AtomicU64::into_inner).collect()
}

/// The tokens of each station in the order of their visits, and the first token of each station. Tokens that arrived at
/// one instant, which came in one round, are ordered by the number of their visit.
fn by_station(stations: usize, tokens: &[Token], places: &[u32]) -> (Vec<u32>, Vec<u32>) {
    // The keys lie beside the places: a sort that looks up each token waits for memory.
    let keyed = |place: &u32| {
        let token = &tokens[*place as usize];
        (token.station, token.arrived, token.number, *place)
    };
    let mut keyed: Vec<_> = places.par_iter().map(keyed).collect();
    keyed.par_sort_unstable();
    let mut first = vec![0; stations + 1];
    keyed.iter().for_each(|(station, ..)| first[*station as usize + 1] += 1);
    let places = keyed.par_iter().map(|(.., place)| *place).collect();
    for station in 0..stations {
        first[station + 1] += first[station];
    }
    (first, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_counted_whether_there_are_few_or_many() {
        for most in [1, 2, OWN_COUNTS, OWN_COUNTS + 1, 5000] {
            let number = |place: usize| place * place % most;
            let mut expected = vec![0; most];
            (0..10_000).for_each(|place| expected[number(place)] += 1);
            assert_eq!(counts(most, (0..10_000_usize).into_par_iter().map(number)), expected);
        }
    }
}
