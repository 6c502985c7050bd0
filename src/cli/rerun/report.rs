//! The result of `tickless rerun`. `docs/json.md` describes each field.

use std::time::Duration;

use serde::Serialize;

use crate::cli::backend::Ready;
use crate::cli::text::{Table, adapter, escaped, seconds};
use crate::cli::warning::{self, Warning};
use crate::device::AdapterDescription;

/// What the repeated run gave.
pub struct Repeated {
    pub backend: &'static str,
    pub adapter: Option<AdapterDescription>,
    pub digest: String,
    pub wall_seconds: f64,
    pub interrupted: bool,
    pub warnings: Vec<Warning>,
}

impl Repeated {
    pub fn new(backend: &Ready, digest: String, wall: Duration, interrupted: bool, warnings: Vec<Warning>) -> Self {
        let (name, adapter) = (backend.name(), backend.adapter().cloned());
        Self { backend: name, adapter, digest, wall_seconds: wall.as_secs_f64(), interrupted, warnings }
    }
}

/// Both digests, and where they come from.
#[derive(Clone, Debug, Serialize)]
pub struct RerunReport {
    pub model: &'static str,
    pub version: &'static str,
    pub file: String,
    pub expected_version: String,
    pub expected_backend: String,
    pub backend: &'static str,
    pub adapter: Option<AdapterDescription>,
    pub wall_seconds: f64,
    pub expected: String,
    pub found: String,
    /// `null` where an interruption left that open.
    pub equal: Option<bool>,
    pub interrupted: bool,
    #[serde(serialize_with = "warning::with_messages")]
    pub warnings: Vec<Warning>,
}

impl RerunReport {
    pub fn text(&self) -> String {
        let mut table = Table::default();
        table.line(format!("tickless {}, model {}", self.version, self.model)).gap();
        table.row("result", escaped(&self.file));
        table.row(
            "expected",
            format!("{} ({}, version {})", self.expected, self.expected_backend, self.expected_version),
        );
        table.row("backend", self.backend);
        if let Some(description) = &self.adapter {
            table.row("adapter", adapter(description));
        }
        table.row("wall time", seconds(self.wall_seconds));
        table.row("found", &self.found).gap();
        table.line(match self.equal {
            None => "  INTERRUPTED: there is nothing to compare",
            Some(true) => "  equal: the run gave the same bits again",
            Some(false) => "  DIFFERENT: the run gave another digest",
        });
        table.finish()
    }
}
