//! What a result says of each class.

use schemars::JsonSchema;
use serde::Serialize;

use super::distributions::{ClassDistribution, DistributionsReport};
use super::figures::Estimates;
use super::times::TimesColumns;
use crate::text::{Columns, Table, grouped, name, short};
use tickless_core::time::Time;
use tickless_queueing::{ClassRecord, Figures, NetworkModel, NetworkOutcome};

/// A class at a station. A network without classes has one, without a name.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ClassReport {
    /// The station.
    pub station: String,
    /// The class.
    pub class: String,
    /// Tokens that came in the measured time, those that were lost among them.
    pub arrivals: u64,
    /// Services that started in the measured time.
    pub starts: u64,
    /// Services that ended in the measured time.
    pub completions: u64,
    /// Tokens that found no room in the measured time.
    pub losses: u64,
    /// Tokens that did not join.
    pub balked: u64,
    /// Tokens that lost their patience.
    pub reneged: u64,
    /// Services that were interrupted.
    pub preemptions: u64,
    /// How long servers held tokens that had been served and found no room elsewhere, over all replications.
    pub blocked_time: f64,
    /// How long those that reneged had waited; `null` where none did.
    pub mean_patience: Option<f64>,
    #[serde(flatten)]
    pub figures: Estimates,
    /// Tokens in service at the end.
    pub serving: u64,
    /// Tokens that wait at the end.
    pub queued: u64,
}

/// A class at a sink.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ClassSinkReport {
    /// The sink.
    pub sink: String,
    /// The class.
    pub class: String,
    /// What left there in the measured time.
    pub tokens: u64,
    /// Of those that came from a source; `null` where none did.
    pub mean_time_in_network: Option<f64>,
}

/// A line of the CSV file.
#[derive(Clone, Debug, Serialize)]
pub struct ClassLine {
    station: String,
    class: String,
    arrivals: u64,
    starts: u64,
    completions: u64,
    losses: u64,
    balked: u64,
    reneged: u64,
    preemptions: u64,
    blocked_time: f64,
    mean_patience: Option<f64>,
    mean_busy: f64,
    utilization: Option<f64>,
    scheduled_utilization: Option<f64>,
    throughput: f64,
    mean_present: f64,
    mean_waiting_time: f64,
    mean_service_time: f64,
    mean_system_time: f64,
    loss_probability: f64,
    serving: u64,
    queued: u64,
    mean_busy_half_width: Option<f64>,
    utilization_half_width: Option<f64>,
    scheduled_utilization_half_width: Option<f64>,
    throughput_half_width: Option<f64>,
    mean_present_half_width: Option<f64>,
    mean_waiting_time_half_width: Option<f64>,
    mean_service_time_half_width: Option<f64>,
    mean_system_time_half_width: Option<f64>,
    loss_probability_half_width: Option<f64>,
    most_present: Option<usize>,
    no_wait: Option<f64>,
    waiting_time_median: Option<f64>,
    waiting_time_p90: Option<f64>,
    waiting_time_p95: Option<f64>,
    waiting_time_p99: Option<f64>,
    system_time_median: Option<f64>,
    system_time_p90: Option<f64>,
    system_time_p95: Option<f64>,
    system_time_p99: Option<f64>,
    no_wait_half_width: Option<f64>,
    waiting_time_median_half_width: Option<f64>,
    waiting_time_p90_half_width: Option<f64>,
    waiting_time_p95_half_width: Option<f64>,
    waiting_time_p99_half_width: Option<f64>,
    system_time_median_half_width: Option<f64>,
    system_time_p90_half_width: Option<f64>,
    system_time_p95_half_width: Option<f64>,
    system_time_p99_half_width: Option<f64>,
}

impl ClassReport {
    fn new(model: &NetworkModel, place: usize, outcomes: &[NetworkOutcome]) -> Self {
        let count = model.classes().len();
        let (station, class) = ((place / count) as u32, (place % count) as u32);
        let sum = |of: fn(&ClassRecord) -> u64| outcomes.iter().map(|outcome| of(&outcome.classes[place])).sum::<u64>();
        let reneged = sum(|class| class.reneged);
        let patience: f64 = outcomes.iter().map(|outcome| Time::sum_in_units(outcome.classes[place].patience)).sum();
        Self {
            station: model.station_name(station).into_owned(),
            class: model.classes()[class as usize].clone(),
            arrivals: sum(|class| class.record.arrivals),
            starts: sum(|class| class.record.starts),
            completions: sum(|class| class.record.completions),
            losses: sum(|class| class.record.losses),
            balked: sum(|class| class.balked),
            reneged,
            preemptions: sum(|class| class.preemptions),
            blocked_time: outcomes.iter().map(|outcome| Time::sum_in_units(outcome.classes[place].blocked)).sum(),
            mean_patience: (reneged > 0).then(|| patience / reneged as f64),
            figures: Estimates::over(Figures::of_class(model, station, class, outcomes), outcomes.len()),
            serving: sum(|class| class.record.serving),
            queued: sum(|class| class.record.queued),
        }
    }

    fn line(&self, recorded: Option<&ClassDistribution>) -> ClassLine {
        let TimesColumns { no_wait, waiting, system } = TimesColumns::of(recorded.map(|recorded| &recorded.times));
        let (means, half) = (&self.figures.means, self.figures.half_widths.as_ref());
        ClassLine {
            station: self.station.clone(),
            class: self.class.clone(),
            arrivals: self.arrivals,
            starts: self.starts,
            completions: self.completions,
            losses: self.losses,
            balked: self.balked,
            reneged: self.reneged,
            preemptions: self.preemptions,
            blocked_time: self.blocked_time,
            mean_patience: self.mean_patience,
            mean_busy: means.mean_busy,
            utilization: means.utilization,
            scheduled_utilization: means.scheduled_utilization,
            throughput: means.throughput,
            mean_present: means.mean_present,
            mean_waiting_time: means.mean_waiting_time,
            mean_service_time: means.mean_service_time,
            mean_system_time: means.mean_system_time,
            loss_probability: means.loss_probability,
            serving: self.serving,
            queued: self.queued,
            mean_busy_half_width: half.and_then(|half| half.mean_busy),
            utilization_half_width: half.and_then(|half| half.utilization.flatten()),
            scheduled_utilization_half_width: half.and_then(|half| half.scheduled_utilization.flatten()),
            throughput_half_width: half.and_then(|half| half.throughput),
            mean_present_half_width: half.and_then(|half| half.mean_present),
            mean_waiting_time_half_width: half.and_then(|half| half.mean_waiting_time),
            mean_service_time_half_width: half.and_then(|half| half.mean_service_time),
            mean_system_time_half_width: half.and_then(|half| half.mean_system_time),
            loss_probability_half_width: half.and_then(|half| half.loss_probability),
            most_present: recorded.map(|recorded| recorded.most_present),
            no_wait: no_wait[0],
            waiting_time_median: waiting[0][0],
            waiting_time_p90: waiting[0][1],
            waiting_time_p95: waiting[0][2],
            waiting_time_p99: waiting[0][3],
            system_time_median: system[0][0],
            system_time_p90: system[0][1],
            system_time_p95: system[0][2],
            system_time_p99: system[0][3],
            no_wait_half_width: no_wait[1],
            waiting_time_median_half_width: waiting[1][0],
            waiting_time_p90_half_width: waiting[1][1],
            waiting_time_p95_half_width: waiting[1][2],
            waiting_time_p99_half_width: waiting[1][3],
            system_time_median_half_width: system[1][0],
            system_time_p90_half_width: system[1][1],
            system_time_p95_half_width: system[1][2],
            system_time_p99_half_width: system[1][3],
        }
    }
}

/// Every class at every station, station by station; `None` of a network without classes, disciplines and patience.
pub fn of(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<Vec<ClassReport>> {
    let count = model.stations() as usize * model.classes().len();
    (count > 0).then(|| (0..count).map(|place| ClassReport::new(model, place, outcomes)).collect())
}

/// Every class at every sink, sink by sink.
pub fn sinks(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<Vec<ClassSinkReport>> {
    let (classes, sinks) = (model.classes(), model.sinks() as usize);
    let report = |place: usize| {
        let records = || outcomes.iter().map(|outcome| &outcome.class_sinks[place]);
        let stays: u128 = records().map(|record| record.sojourn).sum();
        let stayed: u64 = records().map(|record| record.from_sources).sum();
        ClassSinkReport {
            sink: model.sink_name((place / classes.len()) as u32).to_owned(),
            class: classes[place % classes.len()].clone(),
            tokens: records().map(|record| record.tokens).sum(),
            mean_time_in_network: (stayed > 0).then(|| Time::sum_in_units(stays) / stayed as f64),
        }
    };
    (!classes.is_empty()).then(|| (0..sinks * classes.len()).map(report).collect())
}

/// The lines of the CSV file.
pub fn lines(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> impl Iterator<Item = ClassLine> {
    let recorded = DistributionsReport::of(model, outcomes).map_or(vec![], |recorded| recorded.stations);
    let count = model.classes().len();
    let line = move |(place, class): (usize, ClassReport)| {
        let observed = model.observed().binary_search(&((place / count) as u32)).ok();
        let of_station = observed.and_then(|observed| recorded.get(observed)?.classes.as_ref());
        class.line(of_station.and_then(|classes| classes.get(place % count)))
    };
    of(model, outcomes).unwrap_or_default().into_iter().enumerate().map(line)
}

/// A table of the classes that have come to each station.
pub fn tell(all: &[ClassReport], listed: usize, table: &mut Table) {
    let mut columns = Columns::new(&[17, 14, 12, 13, 12, 9, 9, 12]);
    let heads = ["station", "class", "present", "waiting time", "system time", "balked", "reneged", "interrupted"];
    columns.heads(heads);
    let came = || all.iter().filter(|class| class.arrivals > 0 || class.figures.means.mean_present > 0.0);
    for class in came().take(listed) {
        let means = &class.figures.means;
        let times = [means.mean_present, means.mean_waiting_time, means.mean_system_time].map(short);
        let counts = [class.balked, class.reneged, class.preemptions].map(grouped);
        columns.row([name(&class.station), name(&class.class)].into_iter().chain(times).chain(counts));
    }
    if came().count() > listed {
        columns.line(format!("and {} more: --classes FILE writes them all", grouped((came().count() - listed) as u64)));
    }
    columns.write(table);
    table.gap();
}
