//! Times of visits over one replication or several: their quantiles, and how sure these are.

use schemars::JsonSchema;
use serde::Serialize;

use tickless_core::random::EffectiveLaw;
use tickless_core::statistics::{Distribution, Estimate, FacilityRecord, Pooled, Scale};
use tickless_core::time::Time;
use tickless_queueing::NetworkModel;

/// Of the services that started.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct VisitTimes {
    /// The share of the services that started without a wait; `null` where none started, as the next two.
    pub no_wait: Option<Estimate>,
    /// From the arrival to the start, of the services that started.
    pub waiting_time: Option<Quantiles>,
    /// From the arrival until the token leaves: waiting, service, blocked and joining.
    pub system_time: Option<Quantiles>,
}

/// What half, 90, 95 and 99 of a hundred do not exceed, over all replications together, and how sure it is.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Quantiles {
    /// What half do not exceed.
    pub median: Estimate,
    /// What 90 of a hundred do not exceed.
    pub p90: Estimate,
    /// What 95 of a hundred do not exceed.
    pub p95: Estimate,
    /// What 99 of a hundred do not exceed.
    pub p99: Estimate,
}

/// Times of each replication: by their bins, and their sum with their number.
pub(super) struct Times {
    pooled: Pooled,
    sums: Vec<[f64; 2]>,
}

impl Times {
    pub(super) fn new(replications: usize) -> Self {
        Self { pooled: Pooled::new(replications), sums: vec![[0.0; 2]; replications] }
    }

    /// More times of a replication, which add up to `sum` time units.
    pub(super) fn add(&mut self, replication: usize, counts: &[u64], sum: f64, number: f64) {
        self.pooled.add(replication, counts);
        let [all, count] = &mut self.sums[replication];
        (*all, *count) = (*all + sum, *count + number);
    }

    /// The quantiles, none of which is outside of what is `possible`. Where all times are in one bin, their mean, which is
    /// exact, stands for them: constant times have it for every quantile.
    pub(super) fn quantiles(&self, scale: Scale, possible: [f64; 2]) -> Option<Quantiles> {
        let [median, p90, p95, p99] = match self.pooled.only_bin() {
            Some(_) => [Estimate::ratio(self.sums.iter().copied()); 4],
            None => self.pooled.quantiles(scale, [0.5, 0.9, 0.95, 0.99], possible)?,
        };
        Some(Quantiles { median, p90, p95, p99 })
    }
}

/// What a replication has of the visits to a station, or of a class there.
#[derive(Clone)]
pub(super) struct VisitRecords<'a> {
    pub(super) record: &'a FacilityRecord,
    pub(super) recorded: &'a Distribution,
    /// How long all of them together have lasted, and how many they are.
    pub(super) stays: [f64; 2],
}

/// The visits to some stations in each replication.
pub(super) struct Visits {
    waiting: Times,
    system: Times,
    /// Those that did not wait, and all.
    at_once: Vec<[f64; 2]>,
    /// What a service takes at least and at most, in time units.
    service: [f64; 2],
}

impl Visits {
    pub(super) fn new(replications: usize) -> Self {
        Self {
            waiting: Times::new(replications),
            system: Times::new(replications),
            at_once: vec![[0.0; 2]; replications],
            service: [f64::INFINITY, 0.0],
        }
    }

    /// Those to one more station, or of a class there, in a replication, whose services take so much at least and at most. All of a
    /// replication come before those of the next.
    pub(super) fn add(&mut self, replication: usize, service: [f64; 2], visits: &VisitRecords<'_>) {
        let VisitRecords { record, recorded, stays: [all, number] } = visits;
        self.waiting.add(replication, &recorded.waiting, Time::sum_in_units(record.waiting), record.starts as f64);
        self.system.add(replication, &recorded.system, *all, *number);
        let [at_once, all] = &mut self.at_once[replication];
        *at_once += recorded.waiting.first().map_or(0.0, |count| *count as f64);
        *all += recorded.waiting.iter().sum::<u64>() as f64;
        let [shortest, longest] = service;
        self.service = [self.service[0].min(shortest), self.service[1].max(longest)];
    }

    pub(super) fn times(&self, scale: Scale, model: &NetworkModel) -> VisitTimes {
        let no_wait = Estimate::ratio(self.at_once.iter().copied());
        let longest_wait = match self.waiting.pooled.last_bin() {
            Some(0) => 0.0,
            Some(bin) if bin + 1 < scale.bins() as usize => scale.bounds(bin)[1].units(),
            _ => f64::INFINITY,
        };
        let [shortest, longest] = self.service;
        VisitTimes {
            no_wait: (no_wait.count > 0).then_some(no_wait),
            waiting_time: self.waiting.quantiles(scale, [0.0, model.until().units()]),
            system_time: self.system.quantiles(scale, [shortest, longest_wait + longest]),
        }
    }
}

/// What a token takes at a station beside its wait, or one of a class there, at least and at most, in time units. In approximate time a
/// service takes an interval or more, and ends at a multiple of it; nobody knows it at speeds by the number present, and where tokens wait
/// for room elsewhere or for siblings.
pub(super) fn service_times(model: &NetworkModel, station: u32, class: Option<u32>) -> [f64; 2] {
    let ends = |law: &EffectiveLaw| [law.minimum().units(), law.maximum().map_or(f64::INFINITY, Time::units)];
    if let Some(interval) = model.approximate().map(Time::units) {
        let [_, longest] = ends(model.law(station));
        return [interval, (longest / interval).ceil() * interval];
    }
    if !model.rules_of(station).ends_as_it_starts() {
        return [0.0, f64::INFINITY];
    }
    let classes = class.map_or(0..model.rules().classes(), |class| class..class + 1);
    let laws = classes.map(|class| ends(&model.visit_of(station, class).law));
    laws.fold([f64::INFINITY, 0.0], |all, one| [all[0].min(one[0]), all[1].max(one[1])])
}

/// The columns of a CSV file: means, and then half widths.
const COLUMNS: [[&str; 9]; 2] = [
    [
        "no_wait",
        "waiting_time_median",
        "waiting_time_p90",
        "waiting_time_p95",
        "waiting_time_p99",
        "system_time_median",
        "system_time_p90",
        "system_time_p95",
        "system_time_p99",
    ],
    [
        "no_wait_half_width",
        "waiting_time_median_half_width",
        "waiting_time_p90_half_width",
        "waiting_time_p95_half_width",
        "waiting_time_p99_half_width",
        "system_time_median_half_width",
        "system_time_p90_half_width",
        "system_time_p95_half_width",
        "system_time_p99_half_width",
    ],
];

/// What a line of a CSV file has of times, if anything: means, and then half widths.
pub(super) fn columns(times: Option<&VisitTimes>) -> impl Iterator<Item = (&'static str, Option<f64>)> {
    let all = |quantiles: Option<&Quantiles>| {
        let all = quantiles.map(|q| [q.median, q.p90, q.p95, q.p99].map(Some));
        all.unwrap_or_default()
    };
    let [waiting, system] =
        [times.and_then(|times| times.waiting_time.as_ref()), times.and_then(|times| times.system_time.as_ref())]
            .map(all);
    let estimates: Vec<Option<Estimate>> =
        [times.and_then(|times| times.no_wait)].into_iter().chain(waiting).chain(system).collect();
    let half = estimates.clone().into_iter().map(|one| one.and_then(|one| one.half_width));
    let means = estimates.into_iter().map(|one| one.map(|one| one.mean));
    COLUMNS.into_iter().flatten().zip(means.chain(half))
}
