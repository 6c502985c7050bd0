//! `tickless phold`

mod arguments;
mod report;
mod text;

use serde::Serialize;

use super::arguments::Format;
use super::facilities::{self, RecordsFile};
use super::interrupt::Interrupt;
use super::progress::Watcher;
use super::{CommandError, Ending, json, memory};
use crate::RunError;
use crate::processes::{Outcome, PholdModel, ProcessRun, reference};
pub use arguments::PholdArguments;
use arguments::PholdBackend;
use report::PholdReport;

/// Runs the model and prints the result.
///
/// # Errors
/// [`CommandError`].
pub fn run(arguments: &PholdArguments, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    let model = arguments.phold().check().map_err(RunError::from)?;
    memory::check_phold(&model, memory::available())?;
    let output = &arguments.output;
    let file = output.processes_csv.as_deref().map(|path| RecordsFile::open("--processes-csv", path)).transpose()?;
    facilities::check_apart(&file.iter().collect::<Vec<_>>(), None)?;
    let (backend, run) = simulate(arguments.backend, &model, interrupt)?;
    if let Some(file) = file {
        file.write_lines(lines(&run.outcome))?;
    }
    let report = PholdReport::new(&model, backend, &run);
    super::print(&match output.format {
        Format::Text => text::phold(&report),
        Format::Json => json::text(&report)?,
    })?;
    Ok(if run.interrupted { Ending::Interrupted } else { Ending::Done })
}

/// The name of what ran it, and the run.
fn simulate(
    backend: PholdBackend,
    model: &PholdModel,
    interrupt: &Interrupt,
) -> Result<(&'static str, ProcessRun), CommandError> {
    match backend {
        PholdBackend::Auto | PholdBackend::Heap => {
            let mut watcher = Watcher::new("heap", interrupt).counting("events");
            Ok(("heap", reference::simulate(model, &mut watcher)?))
        }
    }
}

/// A line of `--processes-csv`. `docs/json.md` describes each column. Times are in time units.
#[derive(Serialize)]
struct Line {
    process: usize,
    executed: u64,
    sent: u32,
    last_event: Option<f64>,
    pending: u32,
    next_event: Option<f64>,
    checksum: u32,
}

fn lines(outcome: &Outcome) -> impl Iterator<Item = Line> {
    let mut pending = outcome.pending.as_slice();
    outcome.processes.iter().zip(&outcome.state).enumerate().map(move |(process, (record, &checksum))| {
        let own;
        (own, pending) = pending.split_at(record.pending as usize);
        Line {
            process,
            executed: record.executed,
            sent: record.sent,
            last_event: (record.executed > 0).then(|| record.last.units()),
            pending: record.pending,
            next_event: own.first().map(|message| message.time.units()),
            checksum,
        }
    })
}
