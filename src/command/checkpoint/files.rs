//! What writes the checkpoints of a run, one after the other, beside it.

use std::sync::Arc;

use serde_json::json;

use super::Resumable;
use super::file::{Head, Pair, Same, Writing};
use super::so_far::SoFar;
use crate::CommandError;
use crate::output::complain;
use tickless_core::archive::ArchiveError;
use tickless_core::run::Run;

/// The files of a run, and which of them are whole.
pub struct Files {
    pub pair: Pair,
    /// What every head says: what is simulated, as it was before the first part. A result says how many replications there
    /// were, and these are those that were asked for.
    pub same: Same,
    /// Checkpoints so far, including those that could not be written.
    pub number: u64,
    /// The number and the clock of the last one that is whole.
    pub whole: Option<(u64, f64)>,
    pub writing: Writing,
}

impl Files {
    /// Starts a thread that writes what `make` gives: where a run stands, and what it has counted. It waits for the one before.
    pub fn begin<C: Resumable>(&mut self, make: impl FnOnce() -> Result<Standing<C>, CommandError> + Send + 'static) {
        self.wait();
        self.number += 1;
        let (pair, same, number) = (self.pair.clone(), self.same.clone(), self.number);
        let writing = Writing::begin(move || {
            let (run, so_far) = make()?;
            let head = Head {
                same,
                number,
                clock: run.clock.units(),
                events: run.events,
                rounds: run.rounds,
                wall_seconds: run.wall.as_secs_f64(),
                setup_seconds: run.setup.as_secs_f64(),
                device_seconds: run.device.map(|time| time.as_secs_f64()),
                counts: json!(so_far.counts),
            };
            let arrays = C::arrays(&run.outcome).map_err(|error| pair.unwritten(number, error))?;
            // Where nobody goes on from it its memory is free from here on.
            drop(run);
            pair.write(&head, &arrays)
        });
        match writing {
            Ok(writing) => self.writing = writing,
            Err(error) => {
                let error = self.pair.unwritten(number, ArchiveError::File(error));
                complain("warning", &format!("the run goes on without a checkpoint: {error}"));
            }
        }
    }

    /// Waits for the one that is being written. A checkpoint that cannot be written ends no run.
    pub fn wait(&mut self) {
        match self.writing.wait() {
            Ok(whole) => self.whole = whole.or(self.whole),
            Err(error) => complain("warning", &format!("the run goes on without a checkpoint: {error}")),
        }
    }

    /// The clock of the last checkpoint, where it is there still.
    pub fn last(&mut self) -> Option<f64> {
        self.wait();
        self.whole.filter(|(number, _)| self.pair.path(*number).exists()).map(|(_, clock)| clock)
    }
}

/// Where a run stands, with what all of its parts have counted.
pub type Standing<C> =
    (Run<Arc<<C as Resumable>::Checkpoint>, <C as crate::case::Case>::Details>, SoFar<<C as Resumable>::Counts>);
