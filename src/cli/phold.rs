//! `tickless phold`

mod arguments;
mod report;
pub mod text;

use serde::Serialize;

use super::arguments::Format;
use super::backend::{Ready, Suits};
use super::facilities::{self, RecordsFile};
use super::interrupt::Interrupt;
use super::warning::{self, Warning};
use super::{CommandError, Ending, json, memory};
use crate::processes::{Outcome, PholdModel};
pub use arguments::{ComparePholdArguments, PholdArguments, RoundArguments};
use report::PholdReport;
pub use report::{ComparePholdReport, KeptReport, PholdParameters, PholdStatistics, ProcessDifferenceReport};

/// Runs the model and prints the result.
///
/// # Errors
/// [`CommandError`].
pub fn run(arguments: &PholdArguments, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    let model = arguments.model()?;
    let (backend, mut warnings) = Ready::choose(arguments.backend, &arguments.device, Suits::phold(&model))?;
    check(&backend, &model, &arguments.rounds)?;
    let output = &arguments.output;
    let file = output.processes_csv.as_deref().map(|path| RecordsFile::open("--processes-csv", path)).transpose()?;
    facilities::check_apart(&file.iter().collect::<Vec<_>>(), [])?;
    warnings.extend(idle(&model));
    warning::tell(output.format, &warnings);
    let options = arguments.rounds.options();
    let run = backend.run_phold(&model, &options, interrupt)?;
    if let Some(file) = file {
        file.write_lines(lines(&run.outcome))?;
    }
    let report = PholdReport { warnings, ..PholdReport::new(&model, &backend, &options, &run) };
    super::print(&match output.format {
        Format::Text => text::phold(&report),
        Format::Json => json::text(&report)?,
    })?;
    Ok(if run.interrupted { Ending::Interrupted } else { Ending::Done })
}

/// What there is to say of a horizon before which nothing can happen.
pub fn idle(model: &PholdModel) -> Option<Warning> {
    let (until, lookahead) = (model.until(), model.lookahead());
    (until <= lookahead).then(|| Warning::NothingHappens { until: until.units(), lookahead: lookahead.units() })
}

/// Refuses options that the backend does not have, and what does not fit into memory.
///
/// # Errors
/// [`CommandError`].
pub fn check(backend: &Ready, model: &PholdModel, rounds: &RoundArguments) -> Result<(), CommandError> {
    let kind = backend.adapter().map(|adapter| adapter.kind);
    if kind.is_none() {
        rounds.check_unused()?;
    }
    rounds.check()?;
    memory::check_phold(model, kind, memory::available())
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
