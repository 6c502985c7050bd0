//! The figures of a station or of a whole network, over one replication or several.

use serde::Serialize;

use crate::queueing::network::{NetworkModel, NetworkOutcome};
use crate::statistics::{Estimate, FacilityRecord};
use crate::time::Time;

/// Means over the measured time. Times are in time units.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Figures {
    pub utilization: f64,
    pub throughput: f64,
    pub mean_present: f64,
    pub mean_waiting_time: f64,
    pub mean_service_time: f64,
    pub mean_system_time: f64,
    pub loss_probability: f64,
}

/// Figures over replications: the mean of each, and how sure it is where there are several.
#[derive(Clone, Debug, Serialize)]
pub struct Estimates {
    #[serde(flatten)]
    pub means: Figures,
    pub standard_deviations: Option<Figures>,
    pub half_widths: Option<Figures>,
}

pub fn units(ticks: u64) -> f64 {
    Time::from_ticks(ticks).units()
}

pub fn ratio(a: f64, b: f64) -> f64 {
    if b > 0.0 { a / b } else { 0.0 }
}

/// What records add up to.
#[derive(Default)]
struct Sums {
    servers: f64,
    busy: f64,
    waiting: f64,
    service: f64,
    presence: f64,
    arrivals: f64,
    starts: f64,
    completions: f64,
    losses: f64,
}

impl Sums {
    fn add(&mut self, servers: u32, record: &FacilityRecord) {
        self.servers += f64::from(servers);
        self.busy += units(record.busy);
        self.waiting += units(record.waiting);
        self.service += units(record.service);
        self.presence += units(record.presence);
        self.arrivals += record.arrivals as f64;
        self.starts += record.starts as f64;
        self.completions += record.completions as f64;
        self.losses += record.losses as f64;
    }

    fn figures(&self, measured: f64) -> Figures {
        let mean_waiting_time = ratio(self.waiting, self.starts);
        let mean_service_time = ratio(self.service, self.starts);
        Figures {
            utilization: ratio(self.busy, measured * self.servers),
            throughput: ratio(self.completions, measured),
            mean_present: ratio(self.presence, measured),
            mean_waiting_time,
            mean_service_time,
            mean_system_time: mean_waiting_time + mean_service_time,
            loss_probability: ratio(self.losses, self.arrivals),
        }
    }
}

/// The figures of some stations together in one replication.
fn figures(model: &NetworkModel, stations: impl Iterator<Item = u32>, outcome: &NetworkOutcome) -> Figures {
    let mut sums = Sums::default();
    for station in stations {
        sums.add(model.servers(station), &outcome.stations.facilities[station as usize]);
    }
    sums.figures(outcome.stations.measured())
}

/// Completions a replication from which on a station's figures count for the precision.
const ENOUGH: u64 = 30;

/// The largest half width relative to its mean, over utilization, throughput and mean system time of the network, and
/// utilization and mean system time of each station with enough completions. `None` where one has no interval.
pub fn precision_of(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<f64> {
    let network: Vec<_> = outcomes.iter().map(|outcome| figures(model, 0..model.stations(), outcome)).collect();
    let of = |all: &[Figures], figure: fn(&Figures) -> f64| Estimate::of(all.iter().map(figure)).relative();
    let mut largest = of(&network, |f| f.utilization)?
        .max(of(&network, |f| f.throughput)?)
        .max(of(&network, |f| f.mean_system_time)?);
    for id in 0..model.stations() {
        let completions = outcomes.iter().map(|outcome| outcome.stations.facilities[id as usize].completions);
        if completions.sum::<u64>() < ENOUGH * outcomes.len() as u64 {
            continue;
        }
        let station: Vec<_> = outcomes.iter().map(|outcome| figures(model, std::iter::once(id), outcome)).collect();
        largest = largest.max(of(&station, |f| f.utilization)?).max(of(&station, |f| f.mean_system_time)?);
    }
    Some(largest)
}

impl Estimates {
    /// Of one station.
    pub fn of_station(model: &NetworkModel, station: u32, outcomes: &[NetworkOutcome]) -> Self {
        Self::over(outcomes.iter().map(|outcome| figures(model, std::iter::once(station), outcome)).collect())
    }

    /// Of all stations together; the number present is that of the whole network.
    pub fn of_network(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Self {
        Self::over(outcomes.iter().map(|outcome| figures(model, 0..model.stations(), outcome)).collect())
    }

    fn over(replications: Vec<Figures>) -> Self {
        let estimate = |figure: fn(&Figures) -> f64| Estimate::of(replications.iter().map(figure));
        let all = [
            estimate(|f| f.utilization),
            estimate(|f| f.throughput),
            estimate(|f| f.mean_present),
            estimate(|f| f.mean_waiting_time),
            estimate(|f| f.mean_service_time),
            estimate(|f| f.mean_system_time),
            estimate(|f| f.loss_probability),
        ];
        let gathered = |part: fn(&Estimate) -> Option<f64>| -> Option<Figures> {
            let [a, b, c, d, e, f, g] = all.each_ref().map(part);
            Some(Figures {
                utilization: a?,
                throughput: b?,
                mean_present: c?,
                mean_waiting_time: d?,
                mean_service_time: e?,
                mean_system_time: f?,
                loss_probability: g?,
            })
        };
        Self {
            means: gathered(|estimate| Some(estimate.mean)).unwrap_or_default(),
            standard_deviations: gathered(|estimate| estimate.standard_deviation),
            half_widths: gathered(|estimate| estimate.half_width),
        }
    }
}
