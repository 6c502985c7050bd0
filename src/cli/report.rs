//! The JSON of a run, a comparison and a rerun. `docs/json.md` describes each field; the names never change within a
//! version of the schema. A rerun reads [`Origin`] and [`RunReport`] of a result as they are written here.

use std::fmt;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::CommandError;
use super::inputs::InputFile;
use super::warning::{self, Warning};
use crate::device::AdapterDescription;
use crate::memory::{NoMemory, available};
use crate::run::{Appointments, Difference};

/// What was simulated: all that it takes to repeat a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Origin<A> {
    pub schema: u32,
    pub version: String,
    pub model: String,
    pub seed: Option<u64>,
    pub arguments: A,
    pub inputs: Vec<InputFile>,
}

impl<A> Origin<A> {
    /// With its arguments in another form.
    pub fn map<B>(self, change: impl FnOnce(A) -> B) -> Origin<B> {
        let Self { schema, version, model, seed, arguments, inputs } = self;
        Origin { schema, version, model, seed, arguments: change(arguments), inputs }
    }
}

/// What one backend made of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunReport<F> {
    pub backend: String,
    #[serde(skip_deserializing)]
    pub adapter: Option<AdapterDescription>,
    /// Of the heap; `null` on a device.
    pub threads: Option<u64>,
    /// Where several shared the run.
    pub ranks: Option<u32>,
    /// What each of them was on, `null` of one on a heap; where any was on an adapter.
    #[serde(skip_deserializing)]
    pub rank_adapters: Option<Vec<Option<AdapterDescription>>>,
    pub events: u64,
    pub rounds: Option<u64>,
    pub clock: f64,
    pub wall_seconds: f64,
    pub setup_seconds: f64,
    pub device_seconds: Option<f64>,
    pub events_per_second: f64,
    #[serde(flatten)]
    pub figures: F,
    pub digest: String,
    pub interrupted: bool,
}

/// The result of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Report<A, P, F> {
    #[serde(flatten)]
    pub origin: Origin<A>,
    pub parameters: P,
    #[serde(flatten)]
    pub run: RunReport<F>,
    #[serde(serialize_with = "warning::with_messages")]
    pub warnings: Vec<Warning>,
}

/// The result of `tickless compare`.
#[derive(Clone, Debug, Serialize)]
pub struct CompareReport<A, P, F> {
    #[serde(flatten)]
    pub origin: Origin<A>,
    pub parameters: P,
    pub runs: Vec<ComparedRun<F>>,
    /// `null` where an interruption left nothing to compare.
    pub equal: Option<bool>,
    pub interrupted: bool,
    #[serde(serialize_with = "warning::with_messages")]
    pub warnings: Vec<Warning>,
}

/// A run of a comparison, beside the first one.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedRun<F> {
    #[serde(flatten)]
    pub run: RunReport<F>,
    /// `null` where the first run counted nothing.
    pub speed_up: Option<f64>,
    pub difference: Option<DifferenceReport>,
}

/// Where a run first differs from the first one. The replication, the entity and its number are missing where it does so as
/// a whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DifferenceReport {
    pub replication: Option<u32>,
    pub entity: Option<&'static str>,
    pub id: Option<usize>,
    pub name: Option<String>,
    pub field: String,
    pub expected: u64,
    pub found: u64,
}

impl DifferenceReport {
    /// `name_of` says what people call an entity, where it has a name of its own.
    pub fn new(difference: Difference, name_of: impl FnOnce(usize) -> Option<String>) -> Self {
        let Difference { place, field, left, right } = difference;
        let (entity, id) = place.entity.unzip();
        let name = id.and_then(name_of);
        Self { replication: place.replication, entity, id, name, field, expected: left, found: right }
    }
}

impl fmt::Display for DifferenceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { replication, entity, id, name, field, expected, found } = self;
        if let Some(replication) = replication {
            write!(f, "replication {replication}, ")?;
        }
        if let Some((entity, id)) = entity.zip(*id) {
            let name = name.as_ref().map(|name| format!(" ({name})")).unwrap_or_default();
            write!(f, "{entity} {id}{name}, ")?;
        }
        write!(f, "field {field}: {found} instead of {expected}")
    }
}

/// The result of `tickless rerun`: both digests, and where they come from.
#[derive(Clone, Debug, Serialize)]
pub struct RerunReport {
    pub schema: u32,
    pub version: &'static str,
    pub model: &'static str,
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

/// How a run by appointments went: the share of facilities that had something to do in a round, and how far their times
/// were apart.
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

/// A text that asks for the room that it needs.
#[derive(Default)]
struct Text(Vec<u8>);

impl Write for Text {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.try_reserve(bytes.len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Pretty-printed, with a line end.
pub fn json(report: &impl Serialize) -> Result<String, CommandError> {
    let mut text = Text::default();
    let written = serde_json::to_writer_pretty(&mut text, report).map_err(io::Error::from);
    written.and_then(|()| text.write_all(b"\n")).map_err(|error| match error.kind() {
        io::ErrorKind::OutOfMemory => {
            NoMemory::new("the text of the result", 2 * text.0.len() as u64, available()).into()
        }
        _ => CommandError::Output(error),
    })?;
    String::from_utf8(text.0).map_err(|error| CommandError::Output(io::Error::other(error)))
}
