//! The JSON of a run, a comparison and a rerun. The comment of each field is its description in docs/reference; the names never change within
//! a version of the schema. A rerun reads [`Origin`] and [`RunReport`] of a result as they are written here.

use std::fmt;
use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::CommandError;
use super::arguments::Format;
use super::inputs::InputFile;
use super::output::print;
use super::version::SCHEMA;
use super::warning::{self, Told, Warning};
use tickless_core::memory::{NoMemory, available};
use tickless_core::run::{Appointments, Difference};
use tickless_device::AdapterDescription;

/// What was simulated: all that it takes to repeat a run.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Origin<A> {
    /// The version of these fields. A field is renamed, or means something else, only with another one; fields may be added to one.
    #[schemars(extend("const" = SCHEMA))]
    pub schema: u32,
    /// The version of tickless.
    pub version: String,
    /// What was run: `torus`, `network`, `experiment`, `optimize`, `phold`, `search`, `fire`, `watershed`, `rules`, or `experiment` with
    /// one of them behind it.
    pub model: String,
    /// The seed; `null` where nothing is made up or drawn: a watershed on a terrain of a file, rules without random numbers, searches of a
    /// file on a map of one.
    pub seed: Option<u64>,
    /// The options of the model with their defaults, `null` for those that were not given, each by its name with `_` in place of `-`:
    /// `tickless rerun` repeats the run from them.
    pub arguments: A,
    /// The files that the run read, in the order in which it first read them: grids, tables, a rule file and what it includes or names. A
    /// network file is in `arguments.description` instead.
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
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunReport<F> {
    /// What ran, also where `auto` was asked: `heap`, `wgpu` or `cuda`; in a comparison `wgpu-words` and `cuda-words` too (times of two
    /// words, as `--no-int64` has them); `merge` of `tickless merge`.
    pub backend: String,
    /// What it ran on, as in `tickless devices`; `null` on the heap. `capabilities` are those in use: `int64` is `false` under `--no-int64`.
    #[serde(skip_deserializing)]
    pub adapter: Option<AdapterDescription>,
    /// Threads of the heap, each with a replication, a run of an experiment, a search or a rank of its own; `null` on one device and over MPI.
    pub threads: Option<u64>,
    /// How many ranks shared the run (docs/ranks.md); `null` where none did.
    pub ranks: Option<u32>,
    /// Events of the whole run, the warm-up included: service completions and tokens from sources of a network; events executed of PHOLD;
    /// transitions of cells; expansions of searches.
    pub events: u64,
    /// Rounds; `null` on one heap.
    pub rounds: Option<u64>,
    /// Every event before this time has happened: the horizon, or where an interruption came; of searches, and of the runs of an experiment
    /// with a model, how many have ended.
    pub clock: f64,
    /// From the first event to the last; of several replications on the heap, and of runs of an experiment side by side, their set-ups
    /// are in it.
    pub wall_seconds: f64,
    /// Before it: opening the adapter, kernels, buffers, the state at time 0.
    pub setup_seconds: f64,
    /// How long the device itself was busy with rounds; `null` where it cannot tell, as
    /// where runs of an experiment are side by side.
    pub device_seconds: Option<f64>,
    /// `events` by `wall_seconds`.
    pub events_per_second: f64,
    #[serde(flatten)]
    pub figures: F,
    /// SHA-256 over sums of the final records (docs/semantics.md) in hexadecimal: equal for equal runs, whatever the backend. Of several
    /// replications of a network, that of their digests one after the other.
    pub digest: String,
    /// Whether Ctrl-C ended the run before the horizon.
    pub interrupted: bool,
}

/// The result of a run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report<A, P, F> {
    #[serde(flatten)]
    pub origin: Origin<A>,
    /// What ran: the effective parameters of the model.
    pub parameters: P,
    #[serde(flatten)]
    pub run: RunReport<F>,
    /// Remarks on the run.
    #[serde(serialize_with = "warning::with_messages")]
    #[schemars(with = "Vec<Told<'static>>")]
    pub warnings: Vec<Warning>,
}

/// The result of `tickless compare`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CompareReport<A, P, F> {
    #[serde(flatten)]
    pub origin: Origin<A>,
    /// What ran: the effective parameters of the model.
    pub parameters: P,
    /// One for each backend, in the order of `--backends`: the fields from `backend` to `interrupted` of a run, the figures of the model
    /// (of a network without its lists), and those of this table.
    pub runs: Vec<ComparedRun<F>>,
    /// Whether all runs agree in every bit; `null` where an interruption left that open.
    pub equal: Option<bool>,
    /// Whether Ctrl-C ended it; the runs that had not begun are missing.
    pub interrupted: bool,
    /// Remarks on the run.
    #[serde(serialize_with = "warning::with_messages")]
    #[schemars(with = "Vec<Told<'static>>")]
    pub warnings: Vec<Warning>,
}

/// A run of a comparison, beside the first one.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ComparedRun<F> {
    #[serde(flatten)]
    pub run: RunReport<F>,
    /// Its `events_per_second` by that of the first run; `null` where that counted nothing.
    pub speed_up: Option<f64>,
    /// Where it first differs from the first run; `null` where it does not.
    pub difference: Option<DifferenceReport>,
}

/// Where a run first differs from the first one. The replication, the entity and its number are missing, in JSON `null`, where it does so as
/// a whole.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DifferenceReport {
    /// Counted from 0; `null` where the model has none, or the runs differ as a whole.
    pub replication: Option<u32>,
    /// `facility` (a station), `process`, `cell` or `search`; `null` where the value belongs to none, as are the next two.
    pub entity: Option<&'static str>,
    /// Its number.
    pub id: Option<usize>,
    /// What it is called: the station of a network, else `null`.
    pub name: Option<String>,
    /// Of the entity's record, or of the replication: `sources[i]`, `sinks[i].tokens`, `in_transit` and the like.
    pub field: String,
    /// The value of the first run. Sums and times are in ticks of 2^-32 time units here; a facility that serves nothing has 2^64 - 1 as
    /// `in_service`.
    pub expected: u64,
    /// The value of this run.
    pub found: u64,
}

impl DifferenceReport {
    /// `name_of` gives the name of an entity, if it has one of its own.
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
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RerunReport {
    /// The version of these fields. A field is renamed, or means something else, only with another one; fields may be added to one.
    #[schemars(extend("const" = SCHEMA))]
    pub schema: u32,
    /// The version that ran it again.
    pub version: &'static str,
    /// As in the result.
    pub model: &'static str,
    /// The path of the result.
    pub file: String,
    /// The version that wrote the result.
    pub expected_version: String,
    /// What had run it.
    pub expected_backend: String,
    /// What ran it again.
    pub backend: &'static str,
    /// What it ran on, as in `tickless devices`; `null` on the heap.
    pub adapter: Option<AdapterDescription>,
    /// Of the repeated run, from the first event to the last.
    pub wall_seconds: f64,
    /// The digest in the result.
    pub expected: String,
    /// The digest of the repeated run.
    pub found: String,
    /// Whether they are the same; `null` where an interruption left that open.
    pub equal: Option<bool>,
    /// Whether Ctrl-C ended it.
    pub interrupted: bool,
    /// Remarks on the run.
    #[serde(serialize_with = "warning::with_messages")]
    #[schemars(with = "Vec<Told<'static>>")]
    pub warnings: Vec<Warning>,
}

/// How a run by appointments went: the share of facilities that had something to do in a round, and how far their times
/// were apart.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct AppointmentsReport {
    /// The share of stations that decided a visit in a round, in the mean over rounds.
    pub working: f64,
    /// The furthest that one was beyond the earliest arrival not decided yet, in time units.
    pub drift: f64,
}

impl From<Appointments> for AppointmentsReport {
    fn from(appointments: Appointments) -> Self {
        Self { working: appointments.working, drift: appointments.drift.units() }
    }
}

/// A text that reserves the memory that it needs.
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

/// Prints a result as it was asked for: its text, or all of it as JSON. What comes of standard output is within: whatever cannot be written,
/// the rest is.
pub fn print_as(
    format: Format,
    report: &impl Serialize,
    text: impl FnOnce() -> String,
) -> Result<Result<(), CommandError>, CommandError> {
    let text = match format {
        Format::Text => text(),
        Format::Json => json(report)?,
    };
    Ok(print(&text))
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
