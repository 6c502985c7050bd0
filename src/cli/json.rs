//! The fields of the JSON output. `docs/json.md` describes each; the names never change within a major version.

use std::fmt;

use serde::Serialize;

use super::CommandError;
use super::backend::Ready;
use super::network::{self, Estimates, ratio};
use super::phold::KeptReport;
use super::shift;
use super::warning::{self, Warning};
use crate::device::AdapterDescription;
use crate::queueing::gpu::Synchronization;
use crate::queueing::network::{NetworkModel, NetworkOutcome, combined_digest};
use crate::queueing::{NetworkDetails, TorusModel};
use crate::run::{Appointments, Run};
use crate::statistics::{NetworkStatistics, Outcome};

/// The version of the command.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What was simulated.
#[derive(Clone, Debug, Serialize)]
pub struct ModelReport {
    pub model: &'static str,
    pub version: &'static str,
    pub parameters: Parameters,
    pub seed: u64,
}

/// The effective parameters. Times are in time units.
#[derive(Clone, Debug, Serialize)]
pub struct Parameters {
    pub width: u32,
    pub height: u32,
    pub facilities: u32,
    pub tokens_per_facility: u32,
    pub tokens: u32,
    pub service: String,
    pub mean_service_time: f64,
    pub effective_service: Option<String>,
    pub shift: Option<f64>,
    pub window: f64,
    /// Only a run of a torus has it.
    pub approximate: Option<f64>,
    pub until: f64,
    pub warmup: f64,
}

impl ModelReport {
    pub fn new(model: &TorusModel) -> Self {
        let by_window = Synchronization::of(model) == Synchronization::Window;
        let parameters = Parameters {
            width: model.width(),
            height: model.height(),
            facilities: model.facilities(),
            tokens_per_facility: model.tokens_each(),
            tokens: model.tokens(),
            service: model.service().to_string(),
            mean_service_time: model.service().mean(),
            effective_service: shift::formula(model),
            shift: model.shift(),
            window: if by_window { model.lookahead().units() } else { 0.0 },
            approximate: None,
            until: model.until().units(),
            warmup: model.warmup().units(),
        };
        Self { model: "torus", version: VERSION, parameters, seed: model.seed() }
    }
}

/// What one backend made of it. The statistics are those of the model.
#[derive(Clone, Debug, Serialize)]
pub struct RunReport<S = NetworkStatistics> {
    pub backend: &'static str,
    pub adapter: Option<AdapterDescription>,
    pub events: u64,
    pub rounds: Option<u64>,
    pub appointments: Option<AppointmentsReport>,
    /// Only a run of PHOLD has it.
    #[serde(flatten)]
    pub kept: Option<KeptReport>,
    pub clock: f64,
    pub measured: f64,
    pub wall_seconds: f64,
    pub setup_seconds: f64,
    pub device_seconds: Option<f64>,
    pub completions_per_second: f64,
    pub statistics: S,
    pub digest: String,
    pub interrupted: bool,
}

/// How a run by appointments went.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct AppointmentsReport {
    pub working: f64,
    pub drift: f64,
}

impl From<Appointments> for AppointmentsReport {
    fn from(appointments: Appointments) -> Self {
        Self { working: appointments.working, drift: appointments.drift.units() }
    }
}

impl RunReport {
    pub fn new(backend: &Ready, run: &Run<Outcome, NetworkDetails>) -> Self {
        Self {
            backend: backend.name(),
            adapter: backend.adapter().cloned(),
            events: run.events,
            rounds: run.rounds,
            appointments: run.details.appointments.map(AppointmentsReport::from),
            kept: None,
            clock: run.clock.units(),
            measured: run.outcome.measured(),
            wall_seconds: run.wall.as_secs_f64(),
            setup_seconds: run.setup.as_secs_f64(),
            device_seconds: run.device.map(|time| time.as_secs_f64()),
            completions_per_second: run.events_per_second(),
            statistics: run.outcome.statistics(),
            digest: run.outcome.digest().to_string(),
            interrupted: run.interrupted,
        }
    }
}

impl RunReport<Estimates> {
    /// Of replications of a network.
    pub fn of_network(backend: &Ready, model: &NetworkModel, run: &Run<Vec<NetworkOutcome>, NetworkDetails>) -> Self {
        Self {
            backend: backend.name(),
            adapter: backend.adapter().cloned(),
            events: run.events,
            rounds: run.rounds,
            appointments: run.details.appointments.map(AppointmentsReport::from),
            kept: None,
            clock: run.clock.units(),
            measured: run.outcome.first().map_or(0.0, |outcome| outcome.stations.measured()),
            wall_seconds: run.wall.as_secs_f64(),
            setup_seconds: run.setup.as_secs_f64(),
            device_seconds: run.device.map(|time| time.as_secs_f64()),
            completions_per_second: ratio(run.details.completions as f64, run.wall.as_secs_f64()),
            statistics: Estimates::of_network(model, &run.outcome),
            digest: combined_digest(&run.outcome).to_string(),
            interrupted: run.interrupted,
        }
    }
}

impl<S> RunReport<S> {
    /// Events per round, where there are rounds.
    pub fn events_per_round(&self) -> Option<f64> {
        self.rounds.map(|rounds| self.events as f64 / rounds.max(1) as f64)
    }
}

/// The result of `tickless torus`.
#[derive(Clone, Debug, Serialize)]
pub struct TorusReport {
    #[serde(flatten)]
    pub model: ModelReport,
    #[serde(flatten)]
    pub run: RunReport,
    pub causality_errors: Option<u64>,
    #[serde(serialize_with = "warning::with_messages")]
    pub warnings: Vec<Warning>,
}

/// The result of `tickless compare`.
#[derive(Clone, Debug, Serialize)]
pub struct CompareReport {
    #[serde(flatten)]
    pub model: ModelReport,
    pub runs: Vec<ComparedRun>,
    /// `null` where an interruption left nothing to compare.
    pub equal: Option<bool>,
    pub interrupted: bool,
    #[serde(serialize_with = "warning::with_messages")]
    pub warnings: Vec<Warning>,
}

/// A run of a comparison, beside the first one.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedRun<S = NetworkStatistics, D = DifferenceReport> {
    #[serde(flatten)]
    pub run: RunReport<S>,
    /// `null` where the first run counted nothing.
    pub speed_up: Option<f64>,
    pub difference: Option<D>,
}

/// Where a run first differs from the first one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DifferenceReport {
    pub facility: usize,
    pub row: usize,
    pub column: usize,
    pub field: String,
    pub expected: u64,
    pub found: u64,
}

impl fmt::Display for DifferenceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { facility, row, column, field, expected, found } = self;
        write!(f, "facility {facility} (row {row}, column {column}), field {field}: {found} instead of {expected}")
    }
}

/// The result of `tickless compare network`.
#[derive(Clone, Debug, Serialize)]
pub struct CompareNetworkReport {
    pub model: &'static str,
    pub version: &'static str,
    pub file: String,
    pub parameters: network::Parameters,
    pub seed: u64,
    pub runs: Vec<ComparedRun<Estimates, NetworkDifferenceReport>>,
    /// `null` where an interruption left nothing to compare.
    pub equal: Option<bool>,
    pub interrupted: bool,
    #[serde(serialize_with = "warning::with_messages")]
    pub warnings: Vec<Warning>,
}

/// Where a run of a network first differs from the first one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NetworkDifferenceReport {
    pub replication: usize,
    /// `null` where it is not at a station.
    pub station: Option<String>,
    pub field: String,
    pub expected: u64,
    pub found: u64,
}

impl fmt::Display for NetworkDifferenceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { replication, station, field, expected, found } = self;
        let station = station.as_ref().map(|name| format!(", station '{name}'")).unwrap_or_default();
        write!(f, "replication {replication}{station}, field {field}: {found} instead of {expected}")
    }
}

/// The result of `tickless devices`.
#[derive(Clone, Debug, Serialize)]
pub struct DevicesReport {
    pub version: &'static str,
    pub adapters: Vec<AdapterDescription>,
    pub cuda: CudaReport,
    pub auto: Auto,
}

/// What `--backend cuda` finds.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CudaReport {
    /// Whether the command was built with it.
    pub built: bool,
    pub adapters: Vec<AdapterDescription>,
    /// Why it cannot be used; `null` where it can, or is not built.
    pub problem: Option<String>,
    /// The one that opens where none is named.
    #[serde(skip)]
    pub takes: Option<usize>,
}

/// What `--backend auto` takes.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Auto {
    pub backend: &'static str,
    pub adapter: Option<usize>,
}

/// Pretty-printed, with a line end.
pub fn text(report: &impl Serialize) -> Result<String, CommandError> {
    let text = serde_json::to_string_pretty(report).map_err(|error| CommandError::Output(error.into()))?;
    Ok(text + "\n")
}
