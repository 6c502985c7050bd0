//! The fields of `tickless network` and `tickless torus`.

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use super::batch_means::BatchMeansReport;
use super::distributions::{ClassDistribution, DistributionsReport, StationDistribution, whose};
use super::figures::Estimates;
use super::folded::{self, FoldedLine};
use super::jmt::{self, JmtReport};
use super::pilot::PilotReport;
use super::places::{
    self, ClassReport, ClassSinkReport, CostReport, ForkReport, GroupReport, ResourceReport, SinkReport, SourceReport,
    StationReport,
};
use super::precision::PrecisionReport;
use super::targets::{self, TargetReport};
use super::torus::TorusParameters;
use super::{NetworkArguments, NetworkCase, Replications};
use crate::case::Extent;
use crate::figures::result_fields;
use crate::report::AppointmentsReport;
use crate::text::grouped;
use tickless_core::time::Time;
use tickless_queueing::figures::{Sums, Whose};
use tickless_queueing::gpu::{DevicePath, Synchronization};
use tickless_queueing::{NetworkModel, NetworkOutcome, WhoseDistributions, gpu};

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
    /// Every group of servers; `null` of a network without.
    pub groups: Option<Vec<GroupReport>>,
    /// What became of tokens that split; `null` where none does.
    pub forks: Option<ForkReport>,
    /// In the order of the file.
    pub sources: Vec<SourceReport>,
    /// In the order of the file.
    pub sinks: Vec<SinkReport>,
    /// The shares of times within the targets of stations, sinks and classes; `null` of a network without targets.
    pub targets: Option<Vec<TargetReport>>,
    /// What happens in each bin of the period of `fold`; `null` without it.
    pub folded: Option<Vec<FoldedLine>>,
    /// What `--distributions` recorded; `null` without it.
    pub distributions: Option<DistributionsReport>,
    #[serde(flatten)]
    pub tokens: Tokens,
    /// What JMT found, as the file of JMT has it, beside the same figures here; `null` where there is none.
    pub jmt: Option<Vec<JmtReport>>,
    /// What the pilot found, of `--warmup auto` or of a check of the given warm-up; `null` where none ran (docs/networks.md).
    pub pilot: Option<PilotReport>,
    /// Of `--batch-means`; `null` without it.
    pub batch_means: Option<BatchMeansReport>,
    /// What came of `--precision`; `null` without it.
    pub precision: Option<PrecisionReport>,
}

result_fields! {
    /// What became of the tokens of the whole network.
    pub struct Tokens(all: (&[Sums], &[NetworkOutcome])) {
        /// Tokens in the network at the end.
        tokens_present: u64 = all.0.iter().map(|one| one.tokens.record.queued + one.tokens.record.serving).sum::<u64>() + in_transit(all.1);
        /// Those of them that are between stations.
        in_transit: u64 = in_transit(all.1);
        /// At all stations in the measured time; those present at time 0 are no arrivals.
        arrivals: u64 = all.0.iter().map(|one| one.tokens.record.arrivals).sum();
        /// Services that started in the measured time, of all stations.
        starts: u64 = all.0.iter().map(|one| one.tokens.record.starts).sum();
        /// Tokens that found no room in the measured time, wherever they went then (`full_to`).
        losses: u64 = all.0.iter().map(|one| one.tokens.record.losses).sum();
        /// Tokens that were lost for want of room before the measured time, which nothing else counts. A closed network has fewer tokens from then on:
        /// `parameters.tokens` times `parameters.replications` less `losses` (but for those of stations with `full_to`) and `losses_before` are left at
        /// the end.
        losses_before: u64 = all.1.iter().map(|outcome| outcome.lost_before).sum();
    } printed(of) {
        "tokens present": format!("{}, {} of them in transit", grouped(of.tokens_present), grouped(of.in_transit));
        "lost": {
            let before = (of.losses_before > 0).then(|| format!(", and {} before the counting began", grouped(of.losses_before)));
            format!("{}{}", grouped(of.losses), before.unwrap_or_default())
        };
    }
}

fn in_transit(outcomes: &[NetworkOutcome]) -> u64 {
    outcomes.iter().map(|outcome| outcome.in_transit).sum()
}

result_fields! {
    /// What ran.
    pub struct NetworkParameters((model, torus, (first, count), given): (&NetworkModel, Option<TorusParameters>, (u32, usize), Option<u32>)) {
        /// How many there are.
        stations: u32 = model.stations();
        /// How many there are.
        sources: u32 = model.sources();
        /// How many there are.
        sinks: u32 = model.sinks();
        /// Tokens at time 0.
        tokens: u32 = model.tokens();
        /// The least time between a service's start and its token's next arrival; 0 where there is none or it is below a tenth of the mean
        /// service time: a device runs it by appointments then, or, of classes, event by event; `null` where no token goes to a second station.
        window: Option<f64> = window(model, count);
        /// The interval of approximate time, of which `window` is then a copy; `null` where time is exact.
        approximate: Option<f64> = model.approximate().map(Time::units);
        /// Stations whose law the window shifts.
        shifted_stations: u32 = model.shifted();
        /// The user's word for a time unit; `null` where the file has none.
        unit: Option<String> = model.words().own_unit().map(str::to_owned);
        /// The user's word for a token; `null` where the file has none.
        token: Option<String> = model.words().own_token().map(str::to_owned);
        /// The user's word for the unit of costs; `null` where the file has none.
        currency: Option<String> = model.words().currency().map(str::to_owned);
        /// The horizon.
        until: f64 = model.until().units();
        /// Where the counting begins; `null` where Ctrl-C came before `--warmup auto` had found it: what was measured is counted from time 0
        /// on.
        warmup: Option<f64> = Some(model.warmup().units());
        /// The number of the first replication: 0, or the A of `--replications A..B`.
        first_replication: u32 = first;
        /// How many there were; all counts are their sums, all other figures those of all together (a ratio of sums).
        replications: usize = count;
        /// How many `--replications` asked for; `null` with `--precision`, which asks for no number.
        given_replications: Option<u32> = given;
        /// The window that the option or the file gives; `null` where neither does.
        given_window: Option<f64> = model.window();
        /// Whose distributions were recorded: `true` (everybody's), or stations in the order of the file; `null` where none were.
        distributions: Option<WhoseDistributions> = whose(model);
        /// The step of the grid of `--series`; `null` where nothing was noted over time.
        series_step: Option<f64> = model.series_step().map(Time::units);
        /// What is known of a torus; `null` of a network of a file.
        torus: Option<TorusParameters> = torus;
    }
}

/// What a result says of the window of so many replications.
fn window(model: &NetworkModel, replications: usize) -> Option<f64> {
    // Whether replications of a network without classes go in rounds also depends on what is wanted of the run.
    let count = if model.classes().is_empty() { 1 } else { replications };
    match gpu::path(model, count) {
        _ if model.lookahead() == Time::NEVER => None,
        Ok(DevicePath::Rounds(Synchronization::Window)) => Some(model.lookahead().units()),
        _ => Some(0.0),
    }
}

impl NetworkFigures {
    pub fn new<A: NetworkArguments>(case: &NetworkCase<A>, run: &Replications, extent: Extent) -> Self {
        let outcomes = &run.outcome[..];
        let sums = Sums::of(&case.model, Whose::Network, outcomes);
        Self {
            measured: outcomes.first().map_or(0.0, |one| one.stations.measured()),
            completions: run.details.completions,
            appointments: run.details.appointments.map(AppointmentsReport::from),
            causality_errors: sums.iter().map(|one| one.causality_errors).sum(),
            statistics: Estimates::of(&case.model, Whose::Network, &sums),
            cost: CostReport::of(&case.model, &sums),
            lists: (extent == Extent::Everything).then(|| Lists::new(case, outcomes, &sums)),
        }
    }
}

/// Bytes of the lists of stations, and of their distributions: once more where a file is written.
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

/// The same without the times by the number present, which only a run finds.
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
    fn new<A: NetworkArguments>(case: &NetworkCase<A>, outcomes: &[NetworkOutcome], sums: &[Sums]) -> Self {
        let model = &case.model;
        let jmt = jmt::reports(model, case.arguments.jmt(), outcomes, sums);
        Self {
            stations: A::LISTS_STATIONS.then(|| {
                (0..model.stations()).into_par_iter().map(|id| places::station(model, id, outcomes)).collect()
            }),
            classes: places::classes(model, outcomes),
            class_sinks: places::class_sinks(model, outcomes),
            resources: places::resources(model, outcomes),
            groups: places::groups(model, outcomes),
            forks: places::forks(outcomes),
            sources: places::sources(model, outcomes),
            sinks: places::sinks(model, outcomes),
            targets: targets::reports(model, outcomes),
            folded: folded::all(model, outcomes),
            distributions: DistributionsReport::of(model, outcomes),
            tokens: Tokens::new((sums, outcomes)),
            jmt: (!jmt.is_empty()).then_some(jmt),
            pilot: case.pilot.report,
            batch_means: BatchMeansReport::of(model, outcomes),
            precision: case.reached,
        }
    }
}
