//! The results of each station, class, sink, source and resource. Figures with intervals are [`Figures`].

use schemars::JsonSchema;
use serde::Serialize;

use super::distributions::DistributionsReport;
use super::figures::Estimates;
use super::times;
use crate::figures::{Fields, result_fields, sure_to};
use crate::text::{grouped, share, short};
use tickless_core::statistics::Estimate;
use tickless_core::time::Time;
use tickless_queueing::figures::{
    BATCH, BUSY, BUSY_SHARE, COST, HELD, LEAVING, STOCK, Sums, TAKING, TIME_IN_NETWORK, Whose,
};
use tickless_queueing::{ForkRecord, NetworkModel, NetworkOutcome};

/// How long the tokens that left by a sink were in the network; `None` where none came from a source.
fn time_in_network(all: &[Sums]) -> Option<Estimate> {
    Some(TIME_IN_NETWORK.over(all)).filter(|time| time.count > 0)
}

/// How many tokens the servers of a group take at once; `None` where they take one at a time.
fn batch(all: &[Sums]) -> Option<Estimate> {
    Some(BATCH.over(all)).filter(|batch| batch.count > 0)
}

/// Units on hand; `None` where tokens hold units.
fn stock(all: &[Sums]) -> Option<Estimate> {
    Some(STOCK.over(all)).filter(|stock| stock.count > 0)
}

/// Over the replications.
fn sum(all: &[Sums], of: fn(&Sums) -> u64) -> u64 {
    all.iter().map(of).sum()
}

result_fields! {
    in files
    /// What tokens did in the measured time.
    pub struct Counts(all: &[Sums]) {
        /// Tokens that came in the measured time, those that were lost among them.
        arrivals: u64 = sum(all, |one| one.tokens.record.arrivals);
        /// Services that started in the measured time.
        starts: u64 = sum(all, |one| one.tokens.record.starts);
        /// Services that ended in the measured time.
        completions: u64 = sum(all, |one| one.tokens.record.completions);
        /// Tokens that found no room in the measured time.
        losses: u64 = sum(all, |one| one.tokens.record.losses);
    } printed(of) {
        "lost": grouped(of.losses);
    }
}

result_fields! {
    in files
    /// What tokens of a class did beside that.
    pub struct ClassCounts(all: &[Sums]) {
        /// Tokens that did not join.
        balked: u64 = sum(all, |one| one.tokens.balked);
        /// Tokens that lost their patience in line.
        reneged: u64 = sum(all, |one| one.tokens.reneged);
        /// Services that were abandoned, as the patience of their tokens ended amid them.
        abandoned: u64 = sum(all, |one| one.tokens.abandoned);
        /// Services that were interrupted.
        preemptions: u64 = sum(all, |one| one.tokens.preemptions);
        /// How long servers held tokens that found no room elsewhere, over all replications.
        blocked_time: f64 = all.iter().map(|one| Time::sum_in_units(one.tokens.blocked)).sum();
    } printed(of) {
        "interrupted": grouped(of.preemptions);
    }
}

result_fields! {
    in files
    /// Who is there at the end.
    pub struct AtEnd(all: &[Sums]) {
        /// Tokens in service at the end.
        serving: u64 = sum(all, |one| one.tokens.record.serving);
        /// Tokens that wait at the end.
        queued: u64 = sum(all, |one| one.tokens.record.queued);
    }
}

result_fields! {
    /// What left by a sink.
    pub struct SinkCounts(all: &[Sums]) {
        /// What left there in the measured time.
        tokens: u64 = sum(all, |one| one.sink.tokens);
        /// The same, a time unit.
        throughput: f64 = LEAVING.over(all).mean;
        /// Half of its 95 % interval; `null` of one replication.
        throughput_half_width: Option<f64> = LEAVING.over(all).half_width;
        /// Of them those that came from a source.
        from_sources: u64 = sum(all, |one| one.sink.from_sources);
        /// How long these were in the network; `null` where none came from a source.
        mean_time_in_network: Option<f64> = time_in_network(all).map(|time| time.mean);
        /// Half of its 95 % interval; `null` of one replication.
        mean_time_in_network_half_width: Option<f64> = time_in_network(all).and_then(|time| time.half_width);
    } printed(of) {
        "": {
            let half = of.mean_time_in_network_half_width.map(|half| format!(" {}", sure_to(half))).unwrap_or_default();
            let time = of.mean_time_in_network.map(|time| format!(", after {}{half} in the network", short(time)));
            let some = format!(" ({} of them from sources)", grouped(of.from_sources));
            let some = if of.from_sources < of.tokens { some } else { String::new() };
            format!("took {}{some}{}", grouped(of.tokens), time.unwrap_or_default())
        };
    }
}

result_fields! {
    /// What a source did.
    pub struct SourceCounts(all: &[Sums]) {
        /// What it sent in the measured time.
        tokens: u64 = sum(all, |one| one.sent);
    } printed(of) {
        "": format!("sent {}", grouped(of.tokens));
    }
}

result_fields! {
    /// What tokens did with a resource.
    pub struct ResourceCounts(all: &[Sums]) {
        /// How often a token took some.
        grants: u64 = sum(all, |one| one.resource.grants);
        /// Units that tokens hold at the end, or that a stock lacks then.
        in_use: u64 = sum(all, |one| one.resource.in_use);
        /// Units that tokens held by those of its shifts, in order or not: above 1 where tokens keep units after their shift. Of a stock what it
        /// lacked, by what there is room for.
        utilization: f64 = HELD.over(all).mean;
        /// Half of its 95 % interval; `null` of one replication.
        utilization_half_width: Option<f64> = HELD.over(all).half_width;
        /// Units on hand, in the mean over time; `null` where tokens hold units, and no station uses them up.
        mean_stock: Option<f64> = stock(all).map(|stock| stock.mean);
        /// Half of its 95 % interval; `null` of one replication.
        mean_stock_half_width: Option<f64> = stock(all).and_then(|stock| stock.half_width);
    } printed(of) {
        "taken": grouped(of.grants);
        "in use": grouped(of.in_use);
        "utilization": {
            let half = of.utilization_half_width.map(|half| format!(" {}", sure_to(half))).unwrap_or_default();
            format!("{}{half}", share(of.utilization))
        };
        "on hand": {
            let half = of.mean_stock_half_width.map(|half| format!(" {}", sure_to(half))).unwrap_or_default();
            of.mean_stock.map(|stock| format!("{}{half}", short(stock)))
        };
    }
}

result_fields! {
    /// What the servers of a group did.
    pub struct GroupCounts(all: &[Sums]) {
        /// Tokens that its servers took in the measured time.
        tokens: u64 = sum(all, |one| one.group_tokens);
        /// The same, a time unit.
        throughput: f64 = TAKING.over(all).mean;
        /// Half of its 95 % interval; `null` of one replication.
        throughput_half_width: Option<f64> = TAKING.over(all).half_width;
        /// Its servers that serve or hold a token, in the mean over time.
        mean_busy: f64 = BUSY.over(all).mean;
        /// Half of its 95 % interval; `null` of one replication.
        mean_busy_half_width: Option<f64> = BUSY.over(all).half_width;
        /// The same by those on duty; above 1 where services end after their shift.
        utilization: f64 = BUSY_SHARE.over(all).mean;
        /// Half of its 95 % interval; `null` of one replication.
        utilization_half_width: Option<f64> = BUSY_SHARE.over(all).half_width;
        /// Tokens that a server takes at once, in the mean over its services; `null` where servers of the station take one at a time.
        mean_batch: Option<f64> = batch(all).map(|batch| batch.mean);
        /// Half of its 95 % interval; `null` of one replication.
        mean_batch_half_width: Option<f64> = batch(all).and_then(|batch| batch.half_width);
    } printed(of) {
        "taken": grouped(of.tokens);
        "busy": {
            let half = of.mean_busy_half_width.map(|half| format!(" {}", sure_to(half))).unwrap_or_default();
            format!("{}{half}", short(of.mean_busy))
        };
        "utilization": {
            let half = of.utilization_half_width.map(|half| format!(" {}", sure_to(half))).unwrap_or_default();
            format!("{}{half}", share(of.utilization))
        };
        "at once": {
            let half = of.mean_batch_half_width.map(|half| format!(" {}", sure_to(half))).unwrap_or_default();
            of.mean_batch.map(|batch| format!("{}{half}", short(batch)))
        };
    }
}

result_fields! {
    /// What became of tokens that split.
    pub struct ForkReport(all: &[ForkRecord]) {
        /// Those that came into the network.
        copies: u64 = all.iter().map(|one| one.copies).sum();
        /// Tokens that were joined with a sibling.
        joined: u64 = all.iter().map(|one| one.joined).sum();
    } printed(of) {
        "copies": format!("{} made, {} joined", grouped(of.copies), grouped(of.joined));
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

result_fields! {
    /// A station.
    pub struct StationReport((model, id, sums): (&NetworkModel, u32, &[Sums])) {
        /// Its name.
        station: String = model.station_name(id).into_owned();
        /// How many there are, of shifts the most; `null` where they are infinitely many.
        servers: Option<u32> = (!model.has_infinite_servers(id)).then(|| model.servers(id));
        /// As in the file; `null` where there is room for all.
        capacity: Option<u32> = Some(model.capacity(id)).filter(|capacity| *capacity < u32::MAX);
        #[serde(flatten)]
        counts: Counts = Counts::new(sums);
        /// In approximate time, arrivals of the measured time whose original time lies before that of the last one accepted there; `null` where
        /// time is exact.
        causality_errors: Option<u64> = sums.iter().map(|one| one.causality_errors).sum();
        #[serde(flatten)]
        figures: Estimates = Estimates::of(model, Whose::Station(id), sums);
        /// What it costs a time unit; `null` where it has no costs.
        cost: Option<CostReport> = CostReport::of(model, sums);
        #[serde(flatten)]
        at_end: AtEnd = AtEnd::new(sums);
    }
}

result_fields! {
    /// A class at a station. A network without classes has one, without a name.
    pub struct ClassReport((model, [station, class], sums): (&NetworkModel, [u32; 2], &[Sums])) {
        /// The station.
        station: String = model.station_name(station).into_owned();
        /// The class.
        class: String = model.classes()[class as usize].clone();
        #[serde(flatten)]
        counts: Counts = Counts::new(sums);
        #[serde(flatten)]
        own: ClassCounts = ClassCounts::new(sums);
        #[serde(flatten)]
        figures: Estimates = Estimates::of(model, Whose::Class { station, class }, sums);
        #[serde(flatten)]
        at_end: AtEnd = AtEnd::new(sums);
    }
}

result_fields! {
    pub struct SourceReport((model, id, sums): (&NetworkModel, u32, &[Sums])) {
        /// Its name.
        source: String = model.source_name(id).to_owned();
        #[serde(flatten)]
        counts: SourceCounts = SourceCounts::new(sums);
    }
}

result_fields! {
    pub struct SinkReport((model, id, sums): (&NetworkModel, u32, &[Sums])) {
        /// Its name.
        sink: String = model.sink_name(id).to_owned();
        #[serde(flatten)]
        counts: SinkCounts = SinkCounts::new(sums);
        /// What it costs a time unit; `null` where it has no costs.
        cost: Option<CostReport> = CostReport::of(model, sums);
    }
}

result_fields! {
    /// A class at a sink.
    pub struct ClassSinkReport((model, [sink, class], sums): (&NetworkModel, [u32; 2], &[Sums])) {
        /// The sink.
        sink: String = model.sink_name(sink).to_owned();
        /// The class.
        class: String = model.classes()[class as usize].clone();
        #[serde(flatten)]
        counts: SinkCounts = SinkCounts::new(sums);
    }
}

result_fields! {
    /// A resource.
    pub struct ResourceReport((model, (resource, units), sums): (&NetworkModel, (&str, u32), &[Sums])) {
        /// Its name.
        resource: String = resource.to_owned();
        /// How many there are.
        units: u32 = units;
        #[serde(flatten)]
        counts: ResourceCounts = ResourceCounts::new(sums);
        /// What it costs a time unit; `null` where it has no costs.
        cost: Option<CostReport> = CostReport::of(model, sums);
    }
}

result_fields! {
    /// A group of servers.
    pub struct GroupReport((model, number, sums, outcomes): (&NetworkModel, u32, &[Sums], &[NetworkOutcome])) {
        /// The station.
        station: String = model.station_name(model.groups()[number as usize].0).into_owned();
        /// Its name.
        group: String = model.groups()[number as usize].1.to_owned();
        #[serde(flatten)]
        counts: GroupCounts = GroupCounts::new(sums);
        /// The tokens that its servers took in the measured time, by class.
        classes: Vec<GroupClassReport> = GroupClassReport::all(model, number, outcomes);
    }
}

/// The tokens of a class that the servers of a group took.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GroupClassReport {
    /// The class.
    pub class: String,
    /// How many.
    pub tokens: u64,
}

impl GroupClassReport {
    /// Of every class, over the replications.
    fn all(model: &NetworkModel, number: u32, outcomes: &[NetworkOutcome]) -> Vec<Self> {
        let of = |(place, class): (usize, &String)| {
            let tokens = outcomes.iter().map(|outcome| outcome.groups[number as usize].tokens[place]).sum();
            Self { class: class.clone(), tokens }
        };
        model.classes().iter().enumerate().map(of).collect()
    }
}

impl CostReport {
    /// The costs of an owner, from its sums.
    pub fn of(model: &NetworkModel, sums: &[Sums]) -> Option<Self> {
        let Estimate { mean, half_width, .. } = COST.over(sums);
        model.has_costs().then_some(Self { mean, half_width })
    }
}

/// A station.
pub fn station(model: &NetworkModel, id: u32, outcomes: &[NetworkOutcome]) -> StationReport {
    StationReport::new((model, id, &Sums::of(model, Whose::Station(id), outcomes)))
}

/// Every class at every station, station by station; `None` of a network without classes, disciplines and patience.
pub fn classes(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<Vec<ClassReport>> {
    let of = |[station, class]: [u32; 2]| Sums::of(model, Whose::Class { station, class }, outcomes);
    let report = |place| ClassReport::new((model, place, &of(place)));
    (!model.classes().is_empty()).then(|| of_classes(model, model.stations()).map(report).collect())
}

/// Every class of each of so many places.
fn of_classes(model: &NetworkModel, places: u32) -> impl Iterator<Item = [u32; 2]> {
    let classes = model.classes().len() as u32;
    (0..places).flat_map(move |place| (0..classes).map(move |class| [place, class]))
}

/// Every source.
pub fn sources(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Vec<SourceReport> {
    let report = |id| SourceReport::new((model, id, &Sums::of(model, Whose::Source(id), outcomes)));
    (0..model.sources()).map(report).collect()
}

/// Every sink.
pub fn sinks(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Vec<SinkReport> {
    let report = |id| SinkReport::new((model, id, &Sums::of(model, Whose::Sink(id), outcomes)));
    (0..model.sinks()).map(report).collect()
}

/// Every class at every sink, sink by sink.
pub fn class_sinks(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<Vec<ClassSinkReport>> {
    let of = |[sink, class]: [u32; 2]| Sums::of(model, Whose::ClassAtSink { sink, class }, outcomes);
    let report = |place| ClassSinkReport::new((model, place, &of(place)));
    (!model.classes().is_empty()).then(|| of_classes(model, model.sinks()).map(report).collect())
}

/// Every resource; `None` of a network without.
pub fn resources(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<Vec<ResourceReport>> {
    let report =
        |(id, resource)| ResourceReport::new((model, resource, &Sums::of(model, Whose::Resource(id), outcomes)));
    let all: Vec<ResourceReport> = (0..).zip(model.resources()).map(report).collect();
    (!all.is_empty()).then_some(all)
}

/// Every group of servers; `None` of a network without.
pub fn groups(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<Vec<GroupReport>> {
    let report =
        |number: u32| GroupReport::new((model, number, &Sums::of(model, Whose::Group(number), outcomes), outcomes));
    let all: Vec<GroupReport> = (0..model.groups().len() as u32).map(report).collect();
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
            self::station(model, id as u32, outcomes);
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
