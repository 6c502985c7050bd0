//! The fields of `tickless cells`. `docs/json.md` describes each.

use std::fmt;

use serde::Serialize;

use super::Kind;
use super::inputs::InputFile;
use crate::cells::{Border, CellModel, CellOutcome};
use crate::cli::backend::Ready;
use crate::cli::json::{ComparedRun, RunReport, VERSION};
use crate::cli::warning::{self, Warning};
use crate::device::AdapterDescription;
use crate::run::{Difference, Run};

/// The cells and their coupling.
#[derive(Clone, Debug, Serialize)]
pub struct SpaceReport {
    pub width: u32,
    pub height: u32,
    pub depth: u32,
    pub cells: u32,
    pub border: &'static str,
    pub neighbours: usize,
    pub lookahead: f64,
    pub until: f64,
    pub replications: u32,
}

impl SpaceReport {
    pub fn new(model: &impl CellModel) -> Self {
        let space = model.space();
        let [width, height, depth] = space.size();
        Self {
            width,
            height,
            depth,
            cells: space.cells(),
            border: match space.border() {
                Border::Open => "open",
                Border::Wrapped => "wrapped",
            },
            neighbours: space.offsets().len(),
            lookahead: model.lookahead().units(),
            until: model.until().units(),
            replications: model.replications(),
        }
    }
}

/// The result of `tickless cells`.
#[derive(Clone, Debug, Serialize)]
pub struct CellsReport<A, P, S> {
    pub model: &'static str,
    pub kind: &'static str,
    pub version: &'static str,
    pub space: SpaceReport,
    pub parameters: P,
    pub arguments: A,
    pub inputs: Vec<InputFile>,
    pub seed: Option<u64>,
    pub backend: &'static str,
    pub adapter: Option<AdapterDescription>,
    pub replications: u32,
    pub transitions: u64,
    pub imminent: u64,
    pub rounds: Option<u64>,
    pub clock: f64,
    pub wall_seconds: f64,
    pub setup_seconds: f64,
    pub device_seconds: Option<f64>,
    pub transitions_per_second: f64,
    pub statistics: S,
    pub digest: String,
    pub interrupted: bool,
    #[serde(serialize_with = "warning::with_messages")]
    pub warnings: Vec<Warning>,
}

impl<A: Clone, P, S> CellsReport<A, P, S> {
    pub fn new<K: Kind<Arguments = A, Parameters = P, Statistics = S>>(
        kind: &K,
        backend: &Ready,
        run: &Run<CellOutcome>,
    ) -> Self {
        Self {
            model: "cells",
            kind: K::NAME,
            version: VERSION,
            space: SpaceReport::new(kind.model()),
            parameters: kind.parameters(),
            arguments: kind.arguments().clone(),
            inputs: kind.inputs().to_vec(),
            seed: kind.seed(),
            backend: backend.name(),
            adapter: backend.adapter().cloned(),
            replications: run.outcome.replications,
            transitions: run.outcome.transitions,
            imminent: run.outcome.imminent,
            rounds: run.rounds,
            clock: run.clock.units(),
            wall_seconds: run.wall.as_secs_f64(),
            setup_seconds: run.setup.as_secs_f64(),
            device_seconds: run.device.map(|time| time.as_secs_f64()),
            transitions_per_second: run.events_per_second(),
            statistics: kind.statistics(&run.outcome, run.clock),
            digest: run.outcome.digest().to_string(),
            interrupted: run.interrupted,
            warnings: vec![],
        }
    }
}

impl<S> RunReport<S> {
    /// Of cells, whose events are transitions.
    pub fn of_cells<K: Kind<Statistics = S>>(kind: &K, backend: &Ready, run: &Run<CellOutcome>) -> Self {
        Self {
            backend: backend.name(),
            adapter: backend.adapter().cloned(),
            events: run.outcome.transitions,
            rounds: run.rounds,
            appointments: None,
            kept: None,
            clock: run.clock.units(),
            measured: run.clock.units(),
            wall_seconds: run.wall.as_secs_f64(),
            setup_seconds: run.setup.as_secs_f64(),
            device_seconds: run.device.map(|time| time.as_secs_f64()),
            completions_per_second: run.events_per_second(),
            statistics: kind.statistics(&run.outcome, run.clock),
            digest: run.outcome.digest().to_string(),
            interrupted: run.interrupted,
        }
    }
}

/// The result of `tickless compare cells`.
#[derive(Clone, Debug, Serialize)]
pub struct CompareCellsReport<P, S> {
    pub model: &'static str,
    pub kind: &'static str,
    pub version: &'static str,
    pub space: SpaceReport,
    pub parameters: P,
    pub seed: Option<u64>,
    pub runs: Vec<ComparedRun<S, CellDifferenceReport>>,
    /// `null` where an interruption left nothing to compare.
    pub equal: Option<bool>,
    pub interrupted: bool,
    #[serde(serialize_with = "warning::with_messages")]
    pub warnings: Vec<Warning>,
}

/// Where a run first differs from the first one; the replication and the cell are missing where it does so as a whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellDifferenceReport {
    pub replication: Option<usize>,
    pub cell: Option<usize>,
    pub field: String,
    pub expected: u64,
    pub found: u64,
}

impl From<Difference> for CellDifferenceReport {
    fn from(difference: Difference) -> Self {
        let Difference { place, field, left, right } = difference;
        let replication = place.replication.map(|replication| replication as usize);
        let cell = place.entity.map(|(_, cell)| cell);
        Self { replication, cell, field, expected: left, found: right }
    }
}

impl fmt::Display for CellDifferenceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { replication, cell, field, expected, found } = self;
        if let (Some(replication), Some(cell)) = (replication, cell) {
            write!(f, "replication {replication}, cell {cell}, field ")?;
        }
        write!(f, "{field}: {found} instead of {expected}")
    }
}
