//! The fields of `tickless network` and `tickless torus`.

use std::ops::Add;

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::classes::{self, ClassReport, ClassSinkReport};
use super::distributions::{ClassDistribution, DistributionsReport, StationDistribution, whose};
use super::figures::Estimates;
use super::pilot::PilotReport;
use super::precision::PrecisionReport;
use super::resources::{self, ForkReport, ResourceReport};
use super::times;
use super::torus::TorusParameters;
use super::{NetworkArguments, NetworkCase, Replications};
use crate::case::Extent;
use crate::report::AppointmentsReport;
use tickless_core::statistics::Totals;
use tickless_core::time::Time;
use tickless_queueing::gpu::{DevicePath, Synchronization};
use tickless_queueing::{CostsOf, NetworkModel, NetworkOutcome, WhoseDistributions, gpu};

/// What a run gave. Times are in time units, counts over all replications.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct NetworkFigures {
    /// The time that the statistics cover.
    pub measured: f64,
    /// Ends of services over the whole run, the warm-up included.
    pub completions: u64,
    /// Of a run by appointments; `null` where it had a window, and on the heap.
    pub appointments: Option<AppointmentsReport>,
    /// Of all stations together; `null` where time is exact.
    pub causality_errors: Option<u64>,
    /// The figures of the whole network.
    pub statistics: Estimates,
    /// What all stations, sinks and resources cost a time unit, by their `cost` keys; `null` where nothing has costs.
    pub cost: Option<CostReport>,
    /// A comparison has none.
    #[serde(flatten)]
    #[schemars(with = "Lists")]
    pub lists: Option<Lists>,
}

/// A cost a time unit.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct CostReport {
    /// In the mean over the replications.
    pub mean: f64,
    /// Half of its 95 % interval; `null` of one replication.
    pub half_width: Option<f64>,
}

/// What there is of each station, source and sink, and of how the run came about.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Lists {
    /// In the order of the file; `null` of a torus, whose stations `--stations` writes.
    pub stations: Option<Vec<StationReport>>,
    /// Every class at every station, station by station; `null` of a network without classes, patience, shifts and the like.
    pub classes: Option<Vec<ClassReport>>,
    /// Every class at every sink; `null` where `classes` is.
    pub class_sinks: Option<Vec<ClassSinkReport>>,
    /// Every resource; `null` of a network without.
    pub resources: Option<Vec<ResourceReport>>,
    /// What became of tokens that split; `null` where none does.
    pub forks: Option<ForkReport>,
    /// In the order of the file.
    pub sources: Vec<SourceReport>,
    /// In the order of the file.
    pub sinks: Vec<SinkReport>,
    /// What `--distributions` recorded; `null` without it.
    pub distributions: Option<DistributionsReport>,
    /// Tokens in the network at the end.
    pub tokens_present: u64,
    /// Those of them that are between stations.
    pub in_transit: u64,
    /// At all stations in the measured time; those present at time 0 are no arrivals.
    pub arrivals: u64,
    /// Services that started in the measured time, of all stations.
    pub starts: u64,
    /// Tokens that found no room in the measured time.
    pub losses: u64,
    /// Tokens that found no room before the measured time, which nothing else counts. A closed network has fewer tokens from then on:
    /// `parameters.tokens` times `parameters.replications` less `losses` and `losses_before` are left at the end.
    pub losses_before: u64,
    /// What the pilot found, of `--warmup auto` or of a check of the given warm-up; `null` where none ran (docs/networks.md).
    pub pilot: Option<PilotReport>,
    /// What came of `--precision`; `null` without it.
    pub precision: Option<PrecisionReport>,
}

/// What ran.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct NetworkParameters {
    /// How many there are.
    pub stations: u32,
    /// How many there are.
    pub sources: u32,
    /// How many there are.
    pub sinks: u32,
    /// Tokens at time 0.
    pub tokens: u32,
    /// The least time between a service's start and its token's next arrival; 0 where there is none or it is below a tenth of the mean
    /// service time: a device runs it by appointments then, or, of classes, event by event; `null` where no token goes to a second station.
    pub window: Option<f64>,
    /// The interval of approximate time, of which `window` is then a copy; `null` where time is exact.
    pub approximate: Option<f64>,
    /// Stations whose law the window shifts.
    pub shifted_stations: u32,
    /// The horizon.
    pub until: f64,
    /// Where the counting begins; `null` where Ctrl-C came before `--warmup auto` had found it: what was measured is counted from time 0
    /// on.
    pub warmup: Option<f64>,
    /// The number of the first replication: 0, or the A of `--replications A..B`.
    pub first_replication: u32,
    /// How many there were; all counts are their sums, all other figures those of all together (a ratio of sums).
    pub replications: usize,
    /// How many `--replications` asked for; `null` with `--precision`, which asks for no number.
    pub given_replications: Option<u32>,
    /// The window that the option or the file gives; `null` where neither does.
    pub given_window: Option<f64>,
    /// Whose distributions were recorded: `true` (everybody's), or stations in the order of the file; `null` where none were.
    pub distributions: Option<WhoseDistributions>,
    /// The step of the grid of `--series`; `null` where nothing was noted over time.
    pub series_step: Option<f64>,
    /// What is known of a torus; `null` of a network of a file.
    pub torus: Option<TorusParameters>,
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
    /// Tokens that came in the measured time, those that were lost among them.
    pub arrivals: u64,
    /// Services that started in the measured time.
    pub starts: u64,
    /// Services that ended in the measured time.
    pub completions: u64,
    /// Tokens that found no room in the measured time.
    pub losses: u64,
    /// In approximate time, arrivals of the measured time whose original time lies before that of the last one accepted there; `null` where
    /// time is exact.
    pub causality_errors: Option<u64>,
    #[serde(flatten)]
    pub figures: Estimates,
    /// What it costs a time unit; `null` where it has no costs.
    pub cost: Option<CostReport>,
    /// Tokens in service at the end.
    pub serving: u64,
    /// Tokens that wait at the end.
    pub queued: u64,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SourceReport {
    /// Its name.
    pub source: String,
    /// What it sent in the measured time.
    pub tokens: u64,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SinkReport {
    /// Its name.
    pub sink: String,
    /// What left there in the measured time.
    pub tokens: u64,
    /// Of those that came from a source; `null` where none did.
    pub mean_time_in_network: Option<f64>,
    /// What it costs a time unit; `null` where it has no costs.
    pub cost: Option<CostReport>,
}

/// A line of the CSV file.
pub struct StationLine {
    report: StationReport,
    recorded: Option<StationDistribution>,
    in_service_until: Option<f64>,
}

impl Serialize for StationLine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let StationReport { figures, cost, .. } = &self.report;
        let mut line = serializer.serialize_struct("StationLine", 0)?;
        line.serialize_field("station", &self.report.station)?;
        line.serialize_field("servers", &self.report.servers)?;
        line.serialize_field("capacity", &self.report.capacity)?;
        line.serialize_field("arrivals", &self.report.arrivals)?;
        line.serialize_field("starts", &self.report.starts)?;
        line.serialize_field("completions", &self.report.completions)?;
        line.serialize_field("losses", &self.report.losses)?;
        figures.columns().try_for_each(|(name, mean)| line.serialize_field(name, &mean))?;
        line.serialize_field("serving", &self.report.serving)?;
        line.serialize_field("queued", &self.report.queued)?;
        figures.half_width_columns().try_for_each(|(name, half)| line.serialize_field(name, &half))?;
        line.serialize_field("causality_errors", &self.report.causality_errors)?;
        line.serialize_field("most_present", &self.recorded.as_ref().map(|recorded| recorded.most_present))?;
        let times = self.recorded.as_ref().map(|recorded| &recorded.times);
        times::columns(times).try_for_each(|(name, time)| line.serialize_field(name, &time))?;
        line.serialize_field("in_service_until", &self.in_service_until)?;
        line.serialize_field("cost", &cost.map(|cost| cost.mean))?;
        line.serialize_field("cost_half_width", &cost.and_then(|cost| cost.half_width))?;
        line.end()
    }
}

impl StationReport {
    pub fn new(model: &NetworkModel, id: u32, outcomes: &[NetworkOutcome]) -> Self {
        let records = || outcomes.iter().map(|outcome| &outcome.stations.facilities[id as usize]);
        Self {
            station: model.station_name(id).into_owned(),
            servers: (!model.has_infinite_servers(id)).then(|| model.servers(id)),
            capacity: Some(model.capacity(id)).filter(|capacity| *capacity < u32::MAX),
            arrivals: records().map(|record| record.arrivals).sum(),
            starts: records().map(|record| record.starts).sum(),
            completions: records().map(|record| record.completions).sum(),
            losses: records().map(|record| record.losses).sum(),
            causality_errors: outcomes.iter().map(|outcome| outcome.causality_errors.get(id as usize)).sum(),
            figures: Estimates::of_station(model, id, outcomes),
            cost: CostReport::of(model, CostsOf::Station(id), outcomes),
            serving: records().map(|record| record.serving).sum(),
            queued: records().map(|record| record.queued).sum(),
        }
    }
}

impl NetworkParameters {
    /// Of a run of so many replications from the first on; `given` are those that were asked for, where a number was.
    pub fn new(
        model: &NetworkModel,
        torus: Option<TorusParameters>,
        (first_replication, replications): (u32, usize),
        given: Option<u32>,
    ) -> Self {
        let window = match gpu::path(model, replications) {
            _ if model.lookahead() == Time::NEVER => None,
            Ok(DevicePath::Rounds(Synchronization::Window)) => Some(model.lookahead().units()),
            _ => Some(0.0),
        };
        Self {
            stations: model.stations(),
            sources: model.sources(),
            sinks: model.sinks(),
            tokens: model.tokens(),
            window,
            approximate: model.approximate().map(|interval| interval.units()),
            shifted_stations: model.shifted(),
            until: model.until().units(),
            warmup: Some(model.warmup().units()),
            first_replication,
            replications,
            given_replications: given,
            given_window: model.window(),
            distributions: whose(model),
            series_step: model.series_step().map(Time::units),
            torus,
        }
    }
}

impl NetworkFigures {
    pub fn new<A: NetworkArguments>(case: &NetworkCase<A>, run: &Replications, extent: Extent) -> Self {
        let outcomes = &run.outcome[..];
        Self {
            measured: outcomes.first().map_or(0.0, |outcome| outcome.stations.measured()),
            completions: run.details.completions,
            appointments: run.details.appointments.map(AppointmentsReport::from),
            causality_errors: outcomes.iter().map(NetworkOutcome::all_causality_errors).sum(),
            statistics: Estimates::of_network(&case.model, outcomes),
            cost: CostReport::of(&case.model, CostsOf::Everything, outcomes),
            lists: (extent == Extent::Everything).then(|| Lists::new(case, outcomes)),
        }
    }
}

/// Bytes of the lists of stations, and of what was recorded of them: once more where a file is written.
pub fn bytes<A: NetworkArguments>(case: &NetworkCase<A>, run: &Replications, extent: Extent) -> u64 {
    if extent == Extent::Summary {
        return 0;
    }
    let levels = |outcome: &NetworkOutcome| -> usize {
        let recorded = outcome.distributions.iter().flat_map(|all| all.stations.iter().chain(&all.classes));
        recorded.map(|station| station.present.len() * size_of::<f64>()).sum()
    };
    let levels = run.outcome.iter().map(levels).max().unwrap_or(0) as u64;
    least_bytes::<A>(&case.model) + 4 * levels
}

/// The same without the times by the number present, which a run finds.
pub fn least_bytes<A: NetworkArguments>(model: &NetworkModel) -> u64 {
    let reports = if A::LISTS_STATIONS { u64::from(model.stations()) } else { 0 };
    let observed = 2 * model.observed().len() as u64;
    let recorded = size_of::<StationDistribution>() as u64 + NAME;
    let of_classes = u64::from(model.named_classes()) * (size_of::<ClassDistribution>() as u64 + NAME);
    reports * (size_of::<StationReport>() as u64 + NAME) + observed * (recorded + of_classes)
}

/// Bytes of a short name and of what the allocator adds to it and to a list beside it.
const NAME: u64 = 64;

impl Lists {
    fn new<A: NetworkArguments>(case: &NetworkCase<A>, outcomes: &[NetworkOutcome]) -> Self {
        let model = &case.model;
        let totals = outcomes.iter().map(|outcome| outcome.stations.totals()).fold(Totals::default(), Add::add);
        let in_transit = outcomes.iter().map(|outcome| outcome.in_transit).sum();
        let sources = (0..model.sources()).map(|id| SourceReport {
            source: model.source_name(id).to_owned(),
            tokens: outcomes.iter().map(|outcome| outcome.sources[id as usize]).sum(),
        });
        Self {
            stations: A::LISTS_STATIONS.then(|| {
                (0..model.stations()).into_par_iter().map(|id| StationReport::new(model, id, outcomes)).collect()
            }),
            classes: classes::of(model, outcomes),
            class_sinks: classes::sinks(model, outcomes),
            resources: resources::of(model, outcomes),
            forks: resources::forks(outcomes),
            sources: sources.collect(),
            sinks: (0..model.sinks()).map(|id| sink(model, id, outcomes)).collect(),
            distributions: DistributionsReport::of(model, outcomes),
            tokens_present: totals.queued + totals.serving + in_transit,
            in_transit,
            arrivals: totals.arrivals,
            starts: totals.starts,
            losses: totals.losses,
            losses_before: outcomes.iter().map(|outcome| outcome.lost_before).sum(),
            pilot: case.pilot.report,
            precision: case.reached,
        }
    }
}

/// The lines of the CSV file, by the number of the station.
pub fn lines(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> impl Fn(usize) -> StationLine + Sync {
    let recorded = DistributionsReport::of(model, outcomes).map_or(vec![], |recorded| recorded.stations);
    move |id| {
        let report = StationReport::new(model, id as u32, outcomes);
        let ends = outcomes.iter().map(|outcome| outcome.stations.facilities[id].in_service);
        // Of several replications each has its own.
        let in_service_until = ends.filter(|end| outcomes.len() == 1 && *end != Time::NEVER).map(Time::units).next();
        // What was recorded is of these stations, in their order.
        let place = model.observed().binary_search(&(id as u32)).ok();
        StationLine { report, recorded: place.and_then(|place| recorded.get(place)).cloned(), in_service_until }
    }
}

impl CostReport {
    /// What something cost a time unit.
    pub fn of(model: &NetworkModel, of: CostsOf, outcomes: &[NetworkOutcome]) -> Option<Self> {
        let cost = model.cost(of, outcomes)?;
        Some(Self { mean: cost.mean, half_width: cost.half_width })
    }
}

fn sink(model: &NetworkModel, id: u32, outcomes: &[NetworkOutcome]) -> SinkReport {
    let records = || outcomes.iter().map(|outcome| &outcome.sinks[id as usize]);
    let (stays, stayed) =
        records().fold((0, 0), |(sum, count), record| (sum + record.sojourn, count + record.from_sources));
    SinkReport {
        sink: model.sink_name(id).to_owned(),
        tokens: records().map(|record| record.tokens).sum(),
        mean_time_in_network: (stayed > 0).then(|| Time::sum_in_units(stays) / stayed as f64),
        cost: CostReport::of(model, CostsOf::Sink(id), outcomes),
    }
}
