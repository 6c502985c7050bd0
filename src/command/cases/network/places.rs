//! The results of each station, class, sink, source and resource. Figures with intervals are [`Figures`].

use schemars::JsonSchema;
use serde::Serialize;

use super::distributions::DistributionsReport;
use super::figures::Estimates;
use super::times;
use crate::figures::{Fields, figures};
use tickless_core::statistics::Estimate;
use tickless_core::time::Time;
use tickless_queueing::figures::{COST, HELD, Sums, TIME_IN_NETWORK, Whose};
use tickless_queueing::{ForkRecord, NetworkModel, NetworkOutcome};

/// Over the replications.
fn sum(all: &[Sums], of: fn(&Sums) -> u64) -> u64 {
    all.iter().map(of).sum()
}

figures! {
    /// What tokens did in the measured time.
    pub struct Counts(all: &[Sums]) {
        /// Tokens that came in the measured time, those that were lost among them.
        arrivals: u64 = sum(all, |one| one.tokens.record.arrivals);
        /// Services that started in the measured time.
        starts: u64 = sum(all, |one| one.tokens.record.starts);
        /// Services that ended in the measured time.
        completions: u64 = sum(all, |one| one.tokens.record.completions);
        /// Tokens that found no room in the measured time.
        losses: u64 = sum(all, |one| one.tokens.record.losses), "lost": "{}";
    }
}

figures! {
    /// What tokens of a class did beside that.
    pub struct ClassCounts(all: &[Sums]) {
        /// Tokens that did not join.
        balked: u64 = sum(all, |one| one.tokens.balked), "balked": "{}";
        /// Tokens that lost their patience.
        reneged: u64 = sum(all, |one| one.tokens.reneged), "reneged": "{}";
        /// Services that were interrupted.
        preemptions: u64 = sum(all, |one| one.tokens.preemptions), "interrupted": "{}";
        /// How long servers held tokens that found no room elsewhere, over all replications.
        blocked_time: f64 = all.iter().map(|one| Time::sum_in_units(one.tokens.blocked)).sum();
    }
}

figures! {
    /// Who is there at the end.
    pub struct AtEnd(all: &[Sums]) {
        /// Tokens in service at the end.
        serving: u64 = sum(all, |one| one.tokens.record.serving);
        /// Tokens that wait at the end.
        queued: u64 = sum(all, |one| one.tokens.record.queued);
    }
}

figures! {
    /// What left by a sink.
    pub struct SinkCounts(all: &[Sums]) {
        /// What left there in the measured time.
        tokens: u64 = sum(all, |one| one.sink.tokens), "": "took {}";
        /// Of those that came from a source; `null` where none did.
        mean_time_in_network: Option<f64> = Some(TIME_IN_NETWORK.over(all)).filter(|time| time.count > 0).map(|time| time.mean),
            "": "after {} in the network";
    }
}

figures! {
    /// What a source did.
    pub struct SourceCounts(all: &[Sums]) {
        /// What it sent in the measured time.
        tokens: u64 = sum(all, |one| one.sent), "": "sent {}";
    }
}

figures! {
    /// What tokens did with a resource.
    pub struct ResourceCounts(all: &[Sums]) {
        /// How often a token took some.
        grants: u64 = sum(all, |one| one.resource.grants), "taken": "{}";
        /// Units that tokens hold at the end.
        in_use: u64 = sum(all, |one| one.resource.in_use), "in use": "{}";
        /// The share of its units that tokens held.
        utilization: f64 = HELD.over(all).mean, "utilization": "{}";
        /// Half of its 95 % interval; `null` of one replication.
        utilization_half_width: Option<f64> = HELD.over(all).half_width;
    }
}

figures! {
    /// What became of tokens that split.
    pub struct ForkReport(all: &[ForkRecord]) {
        /// Those that came into the network.
        copies: u64 = all.iter().map(|one| one.copies).sum(), "copies": "{} made";
        /// Tokens that were joined with a sibling.
        joined: u64 = all.iter().map(|one| one.joined).sum(), "copies": "{} joined";
    }
}

/// A cost a time unit.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct CostReport {
    /// In the mean over the replications.
    pub mean: f64,
    /// Half of its 95 % interval; `null` of one replication.
    pub half_width: Option<f64>,
}

/// A station.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StationReport {
    /// Its name.
    pub station: String,
    /// How many there are, of shifts the most; `null` where they are infinitely many.
    pub servers: Option<u32>,
    /// As in the file; `null` where there is room for all.
    pub capacity: Option<u32>,
    #[serde(flatten)]
    pub counts: Counts,
    /// In approximate time, arrivals of the measured time whose original time lies before that of the last one accepted there; `null` where
    /// time is exact.
    pub causality_errors: Option<u64>,
    #[serde(flatten)]
    pub figures: Estimates,
    /// What it costs a time unit; `null` where it has no costs.
    pub cost: Option<CostReport>,
    #[serde(flatten)]
    pub at_end: AtEnd,
}

/// A class at a station. A network without classes has one, without a name.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ClassReport {
    /// The station.
    pub station: String,
    /// The class.
    pub class: String,
    #[serde(flatten)]
    pub counts: Counts,
    #[serde(flatten)]
    pub own: ClassCounts,
    #[serde(flatten)]
    pub figures: Estimates,
    #[serde(flatten)]
    pub at_end: AtEnd,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SourceReport {
    /// Its name.
    pub source: String,
    #[serde(flatten)]
    pub counts: SourceCounts,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SinkReport {
    /// Its name.
    pub sink: String,
    #[serde(flatten)]
    pub counts: SinkCounts,
    /// What it costs a time unit; `null` where it has no costs.
    pub cost: Option<CostReport>,
}

/// A class at a sink.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ClassSinkReport {
    /// The sink.
    pub sink: String,
    /// The class.
    pub class: String,
    #[serde(flatten)]
    pub counts: SinkCounts,
}

/// A resource.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ResourceReport {
    /// Its name.
    pub resource: String,
    /// How many there are.
    pub units: u32,
    #[serde(flatten)]
    pub counts: ResourceCounts,
    /// What it costs a time unit; `null` where it has no costs.
    pub cost: Option<CostReport>,
}

impl CostReport {
    /// The costs of an owner, from its sums.
    pub fn of(model: &NetworkModel, sums: &[Sums]) -> Option<Self> {
        let Estimate { mean, half_width, .. } = COST.over(sums);
        model.has_costs().then_some(Self { mean, half_width })
    }
}

impl StationReport {
    pub fn new(model: &NetworkModel, id: u32, outcomes: &[NetworkOutcome]) -> Self {
        let sums = Sums::of(model, Whose::Station(id), outcomes);
        Self {
            station: model.station_name(id).into_owned(),
            servers: (!model.has_infinite_servers(id)).then(|| model.servers(id)),
            capacity: Some(model.capacity(id)).filter(|capacity| *capacity < u32::MAX),
            counts: Counts::new(&sums),
            causality_errors: sums.iter().map(|one| one.causality_errors).sum(),
            figures: Estimates::of(model, Whose::Station(id), &sums),
            cost: CostReport::of(model, &sums),
            at_end: AtEnd::new(&sums),
        }
    }
}

impl ClassReport {
    fn new(model: &NetworkModel, place: usize, outcomes: &[NetworkOutcome]) -> Self {
        let count = model.classes().len();
        let (station, class) = ((place / count) as u32, (place % count) as u32);
        let whose = Whose::Class { station, class };
        let sums = Sums::of(model, whose, outcomes);
        Self {
            station: model.station_name(station).into_owned(),
            class: model.classes()[class as usize].clone(),
            counts: Counts::new(&sums),
            own: ClassCounts::new(&sums),
            figures: Estimates::of(model, whose, &sums),
            at_end: AtEnd::new(&sums),
        }
    }
}

/// Every class at every station, station by station; `None` of a network without classes, disciplines and patience.
pub fn classes(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<Vec<ClassReport>> {
    let count = model.stations() as usize * model.classes().len();
    (count > 0).then(|| (0..count).map(|place| ClassReport::new(model, place, outcomes)).collect())
}

/// Every source.
pub fn sources(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Vec<SourceReport> {
    let report = |id| SourceReport {
        source: model.source_name(id).to_owned(),
        counts: SourceCounts::new(&Sums::of(model, Whose::Source(id), outcomes)),
    };
    (0..model.sources()).map(report).collect()
}

/// Every sink.
pub fn sinks(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Vec<SinkReport> {
    let report = |id| {
        let sums = Sums::of(model, Whose::Sink(id), outcomes);
        let (counts, cost) = (SinkCounts::new(&sums), CostReport::of(model, &sums));
        SinkReport { sink: model.sink_name(id).to_owned(), counts, cost }
    };
    (0..model.sinks()).map(report).collect()
}

/// Every class at every sink, sink by sink.
pub fn class_sinks(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<Vec<ClassSinkReport>> {
    let classes = model.classes();
    let report = |(sink, class): (u32, u32)| ClassSinkReport {
        sink: model.sink_name(sink).to_owned(),
        class: classes[class as usize].clone(),
        counts: SinkCounts::new(&Sums::of(model, Whose::ClassAtSink { sink, class }, outcomes)),
    };
    let all = (0..model.sinks()).flat_map(|sink| (0..classes.len() as u32).map(move |class| (sink, class)));
    (!classes.is_empty()).then(|| all.map(report).collect())
}

/// Every resource; `None` of a network without.
pub fn resources(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<Vec<ResourceReport>> {
    let report = |(id, (name, units)): (u32, (&str, u32))| {
        let sums = Sums::of(model, Whose::Resource(id), outcomes);
        let (counts, cost) = (ResourceCounts::new(&sums), CostReport::of(model, &sums));
        ResourceReport { resource: name.to_owned(), units, counts, cost }
    };
    let all: Vec<ResourceReport> = (0..).zip(model.resources()).map(report).collect();
    (!all.is_empty()).then_some(all)
}

/// `None` where no token splits.
pub fn forks(outcomes: &[NetworkOutcome]) -> Option<ForkReport> {
    let all: Vec<ForkRecord> = outcomes.iter().filter_map(|outcome| outcome.forks).collect();
    (!all.is_empty()).then(|| ForkReport::new(&all))
}

/// The lines of the CSV file of stations, by the number of the station.
pub fn station_lines(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> impl Fn(usize) -> Fields + Sync {
    let recorded = DistributionsReport::of(model, outcomes).map_or(vec![], |recorded| recorded.stations);
    move |id| {
        let StationReport { station, servers, capacity, counts, causality_errors, figures, cost, at_end } =
            StationReport::new(model, id as u32, outcomes);
        let ends = outcomes.iter().map(|outcome| outcome.stations.facilities[id].in_service);
        // Of several replications each has its own.
        let in_service_until = ends.filter(|end| outcomes.len() == 1 && *end != Time::NEVER).map(Time::units).next();
        // The distributions are of these stations, in their order.
        let place = model.observed().binary_search(&(id as u32)).ok();
        let recorded = place.and_then(|place| recorded.get(place));
        let line =
            Fields::of("station", &station).number("servers", &servers).number("capacity", &capacity).all(&counts);
        let line = line.numbers(figures.mean_fields()).all(&at_end).numbers(figures.half_width_fields());
        let line = line.number("causality_errors", &causality_errors);
        let line = line.number("most_present", &recorded.map(|recorded| recorded.most_present as u64));
        let line = line.numbers(times::columns(recorded.map(|recorded| &recorded.times)));
        let line = line.number("in_service_until", &in_service_until).number("cost", &cost.map(|cost| cost.mean));
        line.number("cost_half_width", &cost.and_then(|cost| cost.half_width))
    }
}

/// The lines of the CSV file of classes.
pub fn class_lines(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> impl Iterator<Item = Fields> {
    let recorded = DistributionsReport::of(model, outcomes).map_or(vec![], |recorded| recorded.stations);
    let count = model.classes().len();
    let line = move |(place, report): (usize, ClassReport)| {
        let observed = model.observed().binary_search(&((place / count) as u32)).ok();
        let of_station = observed.and_then(|observed| recorded.get(observed)?.classes.as_ref());
        let recorded = of_station.and_then(|classes| classes.get(place % count));
        let ClassReport { station, class, counts, own, figures, at_end } = report;
        let line = Fields::of("station", &station).name("class", &class).all(&counts).all(&own);
        let line = line.numbers(figures.mean_fields()).all(&at_end).numbers(figures.half_width_fields());
        let line = line.number("most_present", &recorded.map(|recorded| recorded.most_present as u64));
        line.numbers(times::columns(recorded.map(|recorded| &recorded.times)))
    };
    classes(model, outcomes).unwrap_or_default().into_iter().enumerate().map(line)
}
