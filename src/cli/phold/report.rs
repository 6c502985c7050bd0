//! The fields of `tickless phold`. `docs/json.md` describes each.

use std::fmt;

use serde::Serialize;

use crate::cli::backend::Ready;
use crate::cli::json::{ComparedRun, RunReport, VERSION};
use crate::cli::warning::{self, Warning};
use crate::device::AdapterDescription;
use crate::processes::gpu::ProcessOptions;
use crate::processes::{Outcome, PholdModel, ProcessDetails};
use crate::run::{Difference, Run};

/// The result of `tickless phold`.
#[derive(Clone, Debug, Serialize)]
pub struct PholdReport {
    pub model: &'static str,
    pub version: &'static str,
    pub parameters: PholdParameters,
    pub seed: u64,
    pub backend: &'static str,
    pub adapter: Option<AdapterDescription>,
    #[serde(flatten)]
    pub kept: KeptReport,
    pub events: u64,
    pub rounds: Option<u64>,
    pub clock: f64,
    pub wall_seconds: f64,
    pub setup_seconds: f64,
    pub device_seconds: Option<f64>,
    pub events_per_second: f64,
    pub statistics: PholdStatistics,
    pub digest: String,
    pub interrupted: bool,
    #[serde(serialize_with = "warning::with_messages")]
    pub warnings: Vec<Warning>,
}

/// The effective parameters. Times are in time units.
#[derive(Clone, Debug, Serialize)]
pub struct PholdParameters {
    pub processes: u32,
    pub population: u32,
    pub events_at_start: u32,
    pub lookahead: f64,
    pub mean: f64,
    pub mean_increment: f64,
    pub lookahead_share: f64,
    pub remote: f64,
    pub work: u32,
    pub until: f64,
    pub expected_events: f64,
}

/// How rounds were made and pending events kept on a device; on the heap all of it is `null`.
#[derive(Clone, Debug, Serialize)]
pub struct KeptReport {
    pub pending_set: Option<&'static str>,
    pub per_round: Option<&'static str>,
    pub node_size: Option<u32>,
    pub pending_choice: Option<PendingChoice>,
}

impl KeptReport {
    fn new(options: &ProcessOptions, run: &Run<Outcome, ProcessDetails>) -> Self {
        let pending = run.details.pending.as_ref();
        Self {
            pending_set: pending.map(|pending| pending.set.name()),
            per_round: pending.map(|_| options.per_round.name()),
            node_size: pending.and_then(|pending| pending.node),
            pending_choice: pending.map(|pending| PendingChoice { asked: pending.asked.name() }),
        }
    }
}

/// What decided the set.
#[derive(Clone, Debug, Serialize)]
pub struct PendingChoice {
    pub asked: &'static str,
}

/// The figures of the run.
#[derive(Clone, Debug, Serialize)]
pub struct PholdStatistics {
    pub executed: u64,
    pub sent: u64,
    pub expected_ratio: f64,
    pub remote_share: Option<f64>,
    pub pending: u64,
    pub mean_pending: f64,
    pub most_pending: u32,
    pub idle: u64,
}

impl PholdStatistics {
    /// An interrupted run is held against what was to be expected until then.
    fn new(model: &PholdModel, run: &Run<Outcome, ProcessDetails>) -> Self {
        let figures = run.outcome.statistics();
        let expected = model.expected_events(run.clock.units());
        Self {
            executed: figures.executed,
            sent: figures.sent,
            expected_ratio: run.events as f64 / expected.max(f64::MIN_POSITIVE),
            remote_share: run.remote_share(),
            pending: figures.pending,
            mean_pending: figures.mean_pending,
            most_pending: figures.most_pending,
            idle: figures.idle,
        }
    }
}

impl PholdParameters {
    pub fn new(model: &PholdModel) -> Self {
        let until = model.until().units();
        Self {
            processes: model.processes(),
            population: model.population(),
            events_at_start: model.events_at_start(),
            lookahead: model.lookahead().units(),
            mean: model.mean().units(),
            mean_increment: model.mean_increment(),
            lookahead_share: model.lookahead_share(),
            remote: model.remote().probability(),
            work: model.work(),
            until,
            expected_events: model.expected_events(until),
        }
    }
}

impl PholdReport {
    pub fn new(
        model: &PholdModel,
        backend: &Ready,
        options: &ProcessOptions,
        run: &Run<Outcome, ProcessDetails>,
    ) -> Self {
        Self {
            model: "phold",
            version: VERSION,
            parameters: PholdParameters::new(model),
            seed: model.seed(),
            backend: backend.name(),
            adapter: backend.adapter().cloned(),
            kept: KeptReport::new(options, run),
            events: run.events,
            rounds: run.rounds,
            clock: run.clock.units(),
            wall_seconds: run.wall.as_secs_f64(),
            setup_seconds: run.setup.as_secs_f64(),
            device_seconds: run.device.map(|time| time.as_secs_f64()),
            events_per_second: run.events_per_second(),
            statistics: PholdStatistics::new(model, run),
            digest: run.outcome.digest().to_string(),
            interrupted: run.interrupted,
            warnings: vec![],
        }
    }
}

impl RunReport<PholdStatistics> {
    /// Of PHOLD, which completes events.
    pub fn of_phold(
        backend: &Ready,
        model: &PholdModel,
        options: &ProcessOptions,
        run: &Run<Outcome, ProcessDetails>,
    ) -> Self {
        Self {
            backend: backend.name(),
            adapter: backend.adapter().cloned(),
            events: run.events,
            rounds: run.rounds,
            appointments: None,
            kept: Some(KeptReport::new(options, run)),
            clock: run.clock.units(),
            measured: run.clock.units(),
            wall_seconds: run.wall.as_secs_f64(),
            setup_seconds: run.setup.as_secs_f64(),
            device_seconds: run.device.map(|time| time.as_secs_f64()),
            completions_per_second: run.events_per_second(),
            statistics: PholdStatistics::new(model, run),
            digest: run.outcome.digest().to_string(),
            interrupted: run.interrupted,
        }
    }
}

/// The result of `tickless compare phold`.
#[derive(Clone, Debug, Serialize)]
pub struct ComparePholdReport {
    pub model: &'static str,
    pub version: &'static str,
    pub parameters: PholdParameters,
    pub seed: u64,
    pub runs: Vec<ComparedRun<PholdStatistics, ProcessDifferenceReport>>,
    /// `null` where an interruption left nothing to compare.
    pub equal: Option<bool>,
    pub interrupted: bool,
    #[serde(serialize_with = "warning::with_messages")]
    pub warnings: Vec<Warning>,
}

/// Where a run of PHOLD first differs from the first one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProcessDifferenceReport {
    /// `null` where it is of no process.
    pub process: Option<usize>,
    pub field: String,
    pub expected: u64,
    pub found: u64,
}

impl From<Difference> for ProcessDifferenceReport {
    fn from(difference: Difference) -> Self {
        let Difference { place, field, left, right } = difference;
        let process = place.entity.map(|(_, process)| process);
        Self { process, field, expected: left, found: right }
    }
}

impl fmt::Display for ProcessDifferenceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { process, field, expected, found } = self;
        let process = process.map(|process| format!("process {process}, ")).unwrap_or_default();
        write!(f, "{process}field {field}: {found} instead of {expected}")
    }
}
