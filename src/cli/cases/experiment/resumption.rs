//! Experiments that leave checkpoints: the replications that have ended by then.

use std::sync::Arc;

use super::ExperimentCase;
use crate::archive::{ArchiveError, Arrays};
use crate::cli::CommandError;
use crate::cli::checkpoint::{Resumable, SnapshotOf};
use crate::device::Target;
use crate::experiments::{ExperimentOutcome, run_from};
use crate::queueing::NetworkOptions;
use crate::run::{Run, SnapshotWatch};

impl Resumable for ExperimentCase {
    type Checkpoint = ExperimentOutcome;
    type Counts = ();

    fn run_from(
        &mut self,
        from: Option<&Arc<ExperimentOutcome>>,
        target: Target<'_>,
        watch: &mut dyn SnapshotWatch<SnapshotOf<Self>>,
    ) -> Result<Run<ExperimentOutcome>, CommandError> {
        Ok(run_from(&self.experiment, from.map(|from| &**from), target, NetworkOptions::default(), watch)?)
    }

    fn arrays(at: &ExperimentOutcome) -> Result<Arrays, ArchiveError> {
        at.arrays()
    }

    fn checkpoint(&self, arrays: Arrays) -> Result<ExperimentOutcome, ArchiveError> {
        ExperimentOutcome::from_arrays(&self.experiment, arrays)
    }

    fn outcome(at: ExperimentOutcome) -> ExperimentOutcome {
        at
    }
}
