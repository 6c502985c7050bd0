//! Cells on the sequential simulator: Parallel DEVS's own cycle at every instant, from a future event list on a heap.

mod area;
mod simulation;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::log::{CellLog, LogError, Sender};
use super::model::check as check_model;
use super::outcome::Arrays;
use super::replications::Replications;
use super::{CellError, CellModel, CellOutcome, fronts};
pub(super) use area::{Area, Whole};
pub(super) use simulation::Simulation;
use tickless_core::heap::{Summary, execute};
use tickless_core::run::{Asking, Interrupted, Run, Watch, cores, replications};

/// Runs replications, one on each core, on so many cores at the most or on all of them. The cores share nothing that decides a
/// replication. A log takes everything that cells send, of one replication after the other. Where the watch ends a
/// run of several replications, those before the first that has not ended are kept, and if there is none the first as far as it has come.
///
/// # Errors
/// [`CellError`] where the model does what it must not, or says so itself, and where the log is not written.
pub(super) fn simulate(
    model: &Replications<'_, impl CellModel>,
    most_cores: Option<NonZeroUsize>,
    log: Option<&mut dyn CellLog>,
    watch: &mut dyn Watch,
) -> Result<Run<CellOutcome>, CellError> {
    check_model(model)?;
    let (base, count, outcome) = (model.first(), model.count(), CellOutcome::zeroed(model)?);
    let mut all = Run::nothing(model.until(), Some(1), false).map(|()| outcome);
    // The arrays into which a replication writes, until they are taken.
    let arrays: Vec<_> = all.outcome.split(count).map(|arrays| Mutex::new(Some(arrays))).collect();
    let own = |number: u32| arrays[number as usize].lock().ok().and_then(|mut arrays| arrays.take());
    let (mut ended, mut transitions, mut imminent) = (0, 0, 0);
    let mut take = |number: u32, run: Result<Ended, CellError>| {
        let run = match run {
            Err(CellError::Interrupted(_)) if number > 0 => return Ok(ControlFlow::Break(())),
            run => run?,
        };
        let interrupted = run.summary.interrupted;
        if !interrupted || number == 0 {
            (ended, transitions, imminent) = (ended + 1, transitions + run.transitions, imminent + run.imminent);
            (all.clock, all.wall, all.setup) = (run.summary.clock, all.wall + run.summary.wall, all.setup + run.setup);
        }
        Ok(if interrupted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    let started = Instant::now();
    let bytes = u64::from(model.space().cells()) * EACH;
    let words = 4 * (model.state_words() + model.output_words()) as u64;
    let outcome = u64::from(model.space().cells()) * (words + 16) * u64::from(count);
    let most_cores = if log.is_some() { Some(NonZeroUsize::MIN) } else { most_cores };
    let threads = cores(most_cores, count as usize, bytes, outcome);
    let log = log.map(Mutex::new);
    let simulate = |number: u32, watch: &mut dyn Watch| {
        let mut log = log.as_ref().and_then(|log| log.lock().ok());
        let log = log.as_mut().map(|log| &mut ***log as &mut dyn CellLog);
        one(model, base.saturating_add(number), own(number), log, watch)
    };
    if count == 1 {
        let _ = take(0, simulate(0, watch))?;
    } else {
        replications(count, threads, model.until(), simulate, take, watch)?;
        (all.wall, all.setup) = (started.elapsed(), Duration::ZERO);
    }
    all.threads = Some(threads);
    drop(arrays);
    if ended == 0 {
        // The watch has ended the run before the first began.
        return Err(Interrupted.into());
    }
    all.outcome.truncate(ended, count);
    (all.outcome.transitions, all.outcome.imminent) = (transitions, imminent);
    all.interrupted = ended < count || all.clock < model.until();
    all.events = transitions;
    Ok(all)
}

/// Bytes of a cell while its replication runs, beside its state, output and times: its flags in an instant, and its
/// events.
const EACH: u64 = 64;

/// A replication that has ended, beside its arrays.
struct Ended {
    transitions: u64,
    imminent: u64,
    summary: Summary,
    setup: Duration,
}

/// Runs a replication in arrays that are all 0; without any it does not begin.
fn one(
    model: &impl CellModel,
    replication: u32,
    arrays: Option<Arrays<'_>>,
    log: Option<&mut dyn CellLog>,
    watch: &mut dyn Watch,
) -> Result<Ended, CellError> {
    let begin = Instant::now();
    let arrays = arrays.ok_or(Interrupted)?;
    if let Some(model_fronts) = model.fronts() {
        let (reached, summary) = fronts::simulate(model, model_fronts, replication, arrays, (log, watch))?;
        let setup = begin.elapsed().saturating_sub(summary.wall);
        return Ok(Ended { transitions: reached, imminent: reached, summary, setup });
    }
    let sender = log.map(|log| Sender::new(log, replication));
    let whole = Whole { space: model.space(), log: sender };
    let mut simulation = Simulation::begin(model, replication, whole, arrays, &mut Asking::new(watch))?;
    let setup = begin.elapsed();
    let summary = execute(&mut simulation, model.until(), watch)?;
    let (whole, [transitions, imminent]) = simulation.end();
    if let Some(mut log) = whole.log {
        log.flush().map_err(LogError::Write)?;
    }
    Ok(Ended { transitions, imminent, summary, setup })
}
