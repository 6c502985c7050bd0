//! Writes the checkpoints of a run, one after the other, while it goes on.

use std::sync::Arc;

use serde_json::json;

use super::Resumable;
use super::file::{Head, Pair, Same, Writing};
use super::so_far::SoFar;
use crate::CommandError;
use crate::case::Case;
use crate::output::complain;
use tickless_core::archive::ArchiveError;
use tickless_core::run::Run;

/// The files of a run, and their state.
pub struct Files {
    pub pair: Pair,
    /// The common part of every head: the model as before the first part. A result has the number of replications that
    /// ran, the head the number asked for.
    pub same: Same,
    /// Checkpoints so far, failed ones included.
    pub number: u64,
    /// The number and the clock of the last complete checkpoint.
    pub whole: Option<(u64, f64)>,
    pub writing: Writing,
}

impl Files {
    /// Starts a thread that writes the result of `make`: the state of a run, and its counts. It waits for the checkpoint
    /// before.
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
            // If no run goes on from it its memory is free from here on.
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

    /// Waits for the checkpoint that is being written. A checkpoint that cannot be written does not end the run.
    pub fn wait(&mut self) {
        match self.writing.wait() {
            Ok(whole) => self.whole = whole.or(self.whole),
            Err(error) => complain("warning", &format!("the run goes on without a checkpoint: {error}")),
        }
    }

    /// The clock of the last checkpoint, if it still exists.
    pub fn last(&mut self) -> Option<f64> {
        self.wait();
        self.whole.filter(|(number, _)| self.pair.path(*number).exists()).map(|(_, clock)| clock)
    }
}

/// The state of a run, with the counts of all its parts.
pub type Standing<C> = (Run<Arc<<C as Case>::Checkpoint>, <C as Case>::Details>, SoFar<<C as Resumable>::Counts>);
