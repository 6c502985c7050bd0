//! The end of a run: every facility's record, and the network's figures.

use std::ops::Add;

use rayon::prelude::*;
use serde::Serialize;

use super::record::{FacilityRecord, Totals};
use crate::run::Sums;
use crate::time::Time;

/// The end of a run: a record for each facility, and the arrival times of waiting tokens.
///
/// ```
/// use tickless::{device::Target, queueing::{self, Network, Station, Topology}, run::unwatched};
/// let each = Station::new("s", "exponential:10".parse()?).tokens(2);
/// let model = Network::generate(&Topology::Torus { width: 8, height: 8 }, &each, 0.0)?.check()?;
/// let run = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// let figures = run.outcome[0].stations.statistics();
/// assert!(figures.tokens_present == 128 && figures.mean_busy > 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// One record a facility, in id order.
    pub facilities: Vec<FacilityRecord>,
    /// The arrival times of waiting tokens: facility after facility, in the order of each queue.
    pub queue: Vec<Time>,
    /// The ends of services in progress except the first of each facility, in order: facility after facility.
    pub services: Vec<Time>,
    /// Where the counting began: the warm-up time.
    pub from: Time,
    /// Where the counting ended.
    pub until: Time,
    /// Set instead of the records where the caller did not ask for records and a device or ranks have added them up; the
    /// three lists are empty then.
    pub added_up: Option<AddedUp>,
}

/// The sums of the records of all facilities, added up on a device: enough for total figures and for the digest.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::statistics::Outcome;
/// fn completions(outcome: &Outcome) -> u64 {
///     outcome.added_up.map_or_else(|| outcome.totals().completions, |added_up| added_up.totals.completions)
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddedUp {
    /// The base of the figures.
    pub totals: Totals,
    /// The base of the digest.
    #[doc(hidden)]
    pub sums: Sums,
}

/// The network's figures, means over all facilities. Times are in time units.
///
/// ```
/// use tickless::{device::Target, queueing::{self, Network, Station, Topology}, run::unwatched};
/// let each = Station::new("s", "exponential:10".parse()?).tokens(1);
/// let model = Network::generate(&Topology::Ring { stations: 4 }, &each, 0.0)?.check()?;
/// let run = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// let figures = run.outcome[0].stations.statistics();
/// assert_eq!(figures.mean_system_time, figures.mean_waiting_time + figures.mean_service_time);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NetworkStatistics {
    /// The mean number of busy servers at a facility: the utilization where each has one server.
    pub mean_busy: f64,
    /// Completions per time unit, of the whole network.
    pub throughput: f64,
    /// The mean waiting time of the services that started.
    pub mean_waiting_time: f64,
    /// The mean service time of these services.
    pub mean_service_time: f64,
    /// The sum of both means.
    pub mean_system_time: f64,
    /// The mean number of tokens at a facility, tokens in service included.
    pub mean_present: f64,
    /// Tokens in the network at the end.
    pub tokens_present: u64,
    /// Tokens that arrived at a facility.
    pub arrivals: u64,
    /// Services that started.
    pub starts: u64,
    /// Services that ended.
    pub completions: u64,
    /// Arrivals lost.
    pub losses: u64,
}

/// Facilities that a core adds up at a time.
const PART: usize = 1 << 12;

impl Outcome {
    /// The measured time, in units.
    pub fn measured(&self) -> f64 {
        Time::from_ticks(self.until.ticks().saturating_sub(self.from.ticks())).units()
    }

    /// The totals of all records, on all cores.
    pub fn totals(&self) -> Totals {
        let of_part = |part: &[FacilityRecord]| part.iter().map(Totals::of).fold(Totals::default(), Totals::add);
        match self.added_up {
            Some(added_up) => added_up.totals,
            // With many replications of few facilities each, starting other cores would take longer.
            None if self.facilities.len() <= PART => of_part(&self.facilities),
            None => self.facilities.par_chunks(PART).map(of_part).reduce(Totals::default, Totals::add),
        }
    }

    /// The network's figures. A mean over nothing is 0.
    pub fn statistics(&self) -> NetworkStatistics {
        let totals = self.totals();
        let ratio = |a: f64, b: f64| if b > 0.0 { a / b } else { 0.0 };
        let mean_waiting_time = ratio(Time::sum_in_units(totals.waiting), totals.starts as f64);
        let mean_service_time = ratio(Time::sum_in_units(totals.service), totals.starts as f64);
        let facility_time = self.measured() * totals.facilities as f64;
        NetworkStatistics {
            mean_busy: ratio(Time::sum_in_units(totals.busy), facility_time),
            throughput: ratio(totals.completions as f64, self.measured()),
            mean_waiting_time,
            mean_service_time,
            mean_system_time: mean_waiting_time + mean_service_time,
            mean_present: ratio(Time::sum_in_units(totals.presence), facility_time),
            tokens_present: totals.queued + totals.serving,
            arrivals: totals.arrivals,
            starts: totals.starts,
            completions: totals.completions,
            losses: totals.losses,
        }
    }
}
