//! Experiments with a model that leave checkpoints: the runs that have ended by then.

use std::sync::Arc;

use super::outcome::VariedOutcome;
use super::runs::go_on;
use super::{Varied, VariedCase};
use crate::CommandError;
use crate::checkpoint::{Resumable, SnapshotOf};
use tickless_core::archive::{ArchiveError, Arrays};
use tickless_core::run::{Run, SnapshotWatch};
use tickless_device::Target;

impl<C: Varied> Resumable for VariedCase<C> {
    type Checkpoint = VariedOutcome;
    type Counts = ();

    fn run_from(
        &mut self,
        from: Option<&Arc<VariedOutcome>>,
        target: Target<'_>,
        watch: &mut dyn SnapshotWatch<SnapshotOf<Self>>,
    ) -> Result<Run<VariedOutcome>, CommandError> {
        go_on(self, from.map(|from| (**from).clone()).unwrap_or_default(), target, watch)
    }

    fn arrays(at: &VariedOutcome) -> Result<Arrays, ArchiveError> {
        at.arrays()
    }

    fn checkpoint(&self, arrays: Arrays) -> Result<VariedOutcome, ArchiveError> {
        VariedOutcome::from_arrays(arrays, self.points.len(), self.seeds)
    }

    fn outcome(&self, at: VariedOutcome) -> VariedOutcome {
        at
    }
}
