//! Optimizations that leave checkpoints: the replications that have ended by then.

use std::sync::Arc;

use super::OptimizeCase;
use crate::archive::{ArchiveError, Arrays};
use crate::cli::CommandError;
use crate::cli::checkpoint::{Resumable, SnapshotOf};
use crate::device::Target;
use crate::experiments::optimization::{OptimizationOutcome, run_from};
use crate::queueing::NetworkOptions;
use crate::run::{Run, SnapshotWatch};

impl Resumable for OptimizeCase {
    type Checkpoint = OptimizationOutcome;
    type Counts = ();

    fn run_from(
        &mut self,
        from: Option<&Arc<OptimizationOutcome>>,
        target: Target<'_>,
        watch: &mut dyn SnapshotWatch<SnapshotOf<Self>>,
    ) -> Result<Run<OptimizationOutcome>, CommandError> {
        Ok(run_from(&self.optimization, from.map(|from| &**from), target, NetworkOptions::default(), watch)?)
    }

    fn arrays(at: &OptimizationOutcome) -> Result<Arrays, ArchiveError> {
        at.arrays()
    }

    fn checkpoint(&self, arrays: Arrays) -> Result<OptimizationOutcome, ArchiveError> {
        OptimizationOutcome::from_arrays(&self.optimization, arrays)
    }

    fn outcome(at: OptimizationOutcome) -> OptimizationOutcome {
        at
    }
}
