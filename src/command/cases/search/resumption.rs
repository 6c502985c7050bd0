//! Checkpoints of searches, which have the records of those that have ended.

use std::sync::Arc;

use super::SearchCase;
use crate::CommandError;
use crate::checkpoint::{Resumable, SnapshotOf};
use tickless_core::archive::{ArchiveError, Arrays};
use tickless_core::run::{Restartable, Run, SnapshotWatch};
use tickless_device::Target;
use tickless_pathfinding::{self as pathfinding, Outcome, SearchDetails};

impl Resumable for SearchCase {
    type Checkpoint = Outcome;
    type Counts = ();

    fn run_from(
        &mut self,
        from: Option<&Arc<Outcome>>,
        target: Target<'_>,
        watch: &mut dyn SnapshotWatch<SnapshotOf<Self>>,
    ) -> Result<Run<Outcome, SearchDetails>, CommandError> {
        let options = self.arguments.how.options();
        let rest = Restartable { model: &self.batch.model, from: from.map(|from| &**from) };
        Ok(pathfinding::run(rest, target, options, watch)?)
    }

    fn arrays(at: &Outcome) -> Result<Arrays, ArchiveError> {
        at.arrays()
    }

    fn checkpoint(&self, arrays: Arrays) -> Result<Outcome, ArchiveError> {
        Outcome::from_arrays(&self.batch.model, arrays)
    }

    fn outcome(&self, at: Outcome) -> Outcome {
        at
    }
}
